"""Waivers: accepted risks. One marks a failing verdict and never hides it; a broken or expired one marks nothing and is reported."""

from __future__ import annotations

import datetime
import fnmatch
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scanner.model import Status, Verdict, Waiver, WaiverState, Where

FIELDS = ("rule", "resource", "reason", "owner", "expires")


def read_waiver(raw: Any, where: Where, today: datetime.date, rules: Iterable[str]) -> Waiver:
    """A waiver from its entry in `bartizan.yaml`; what is wrong with it makes it `malformed` with the problem named."""
    data = raw if isinstance(raw, Mapping) else {}
    known = {name: "" if data.get(name) is None else str(data[name]).strip() for name in (*FIELDS, "ticket")}
    problems = []
    if not isinstance(raw, Mapping):
        problems.append("is not a mapping")
    problems += [f"lacks {name!r}" for name in FIELDS if not known[name]]
    problems += [f"has the unknown key {key!r}" for key in data if key not in known]
    if known["rule"] and not any(fnmatch.fnmatchcase(rule, known["rule"]) for rule in rules):
        problems.append(f"names the rule {known['rule']!r}, which matches none")
    state = WaiverState.UNUSED
    if known["expires"]:
        try:
            if datetime.date.fromisoformat(known["expires"]) < today:
                state = WaiverState.EXPIRED
        except ValueError:
            problems.append(f"has the expiry {known['expires']!r}, which is no date like 2027-03-31")
    if known["resource"] and not known["resource"].strip("*?"):
        problems.append("would waive every resource; name the resources it is for")
    if problems:
        state = WaiverState.MALFORMED
    rule, resource, reason, owner, expires, ticket = (known[name] for name in (*FIELDS, "ticket"))
    return Waiver(rule, resource, reason, owner, expires, ticket, where, state, problem="; ".join(problems))


def _pattern(text: str) -> str:
    """A regular expression for a pattern over ids: `*` and `?` only, since ids have brackets (`plan/aws_subnet.a["x"]`)."""
    return "".join({"*": ".*", "?": "."}.get(char) or re.escape(char) for char in text)


def _own(verdict: Verdict) -> bool:
    """Whether the name is part of the id. Any other (a Name tag, an alias) is given by whoever may tag, to as many resources as they like."""
    return bool(verdict.name) and verdict.subject.endswith(verdict.name)


class Waivers:
    """The live waivers of a run, ready to match."""

    def __init__(self, waivers: Sequence[Waiver]) -> None:
        self.all = tuple(waivers)
        self._live = [
            (index, w, re.compile(fnmatch.translate(w.rule)), re.compile(_pattern(w.resource), re.DOTALL))
            for index, w in enumerate(self.all)
            if w.state is WaiverState.UNUSED
        ]
        self.matches: Counter[int] = Counter()

    def apply(self, verdict: Verdict) -> Verdict:
        """The verdict, marked by the first waiver that matches where it is a failure. Every matching waiver counts as used."""
        if verdict.status is not Status.FAIL or not self._live:
            return verdict
        found = None
        for index, waiver, rule, resource in self._live:
            if rule.match(verdict.rule) and (
                resource.fullmatch(verdict.subject) or (_own(verdict) and resource.fullmatch(verdict.name))
            ):
                self.matches[index] += 1
                found = found or waiver
        return verdict.replace(waiver=replace(found, state=WaiverState.USED)) if found else verdict


def settled(waivers: Sequence[Waiver], matches: Mapping[int, int]) -> tuple[Waiver, ...]:
    """The waivers with what became of them."""
    return tuple(
        replace(w, state=WaiverState.USED, matches=matches[index]) if matches.get(index) else w for index, w in enumerate(waivers)
    )
