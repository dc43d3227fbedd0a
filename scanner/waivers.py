"""Waivers: accepted risks. One marks a failing verdict and never hides it; a broken or expired one marks nothing and is reported."""

from __future__ import annotations

import datetime
import fnmatch
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from scanner.model import Inline, Rule, Status, Verdict, Waiver, WaiverState, Where, frozen
from scanner.model.inline import parse

FIELDS = ("rule", "resource", "reason", "owner", "expires")
MAX_DAYS = 180
"""How far away an expiry may be, where `waiver_policy.max_days` says nothing else."""
MANY = 10
"""Over-broad is what matches more than half of all rules, or of all resources that its rules speak about, and at least so many."""
WILD = "*?"


@frozen
class Limits:
    """By what a waiver is judged before any finding is known."""

    today: datetime.date
    """In UTC; the last day of a waiver counts."""
    rules: Sequence[str]
    """Ids of all rules that there are."""
    max_days: int = MAX_DAYS


def read_waiver(raw: Any, where: Where, limits: Limits) -> Waiver:
    """A waiver from its entry in `bartizan.yaml`; what is wrong with it makes it `malformed` with the problem named."""
    data = raw if isinstance(raw, Mapping) else {}
    known = {name: "" if data.get(name) is None else str(data[name]).strip() for name in (*FIELDS, "ticket")}
    problems = []
    if not isinstance(raw, Mapping):
        problems.append("is not a mapping")
    problems += [f"lacks {name!r}" for name in FIELDS if not known[name]]
    problems += [f"has the unknown key {key!r}" for key in data if key not in known]
    if known["resource"] and not known["resource"].strip(WILD):
        problems.append("is over-broad: it would waive every resource; name the resources it is for")
    rule, resource, reason, owner, expires, ticket = (known[name] for name in (*FIELDS, "ticket"))
    return checked(Waiver(rule, resource, reason, owner, expires, ticket, where), limits, problems)


def checked(waiver: Waiver, limits: Limits, problems: Sequence[str] = ()) -> Waiver:
    """A waiver with its state before any finding is known; `problems` are those of its form."""
    found = [*problems, *_rule_problems(waiver.rule, limits.rules)]
    state = WaiverState.UNUSED
    if waiver.expires:
        try:
            left = (_date(waiver.expires) - limits.today).days
        except ValueError:
            found.append(f"has the expiry {waiver.expires!r}, which is no date like 2027-03-31")
        else:
            if left < 0:
                state = WaiverState.EXPIRED
            elif left > limits.max_days:
                last = limits.today + datetime.timedelta(days=limits.max_days)
                found.append(f"expires on {waiver.expires}; the last day that it may have is {last} ({limits.max_days} days)")
    if found:
        state = WaiverState.MALFORMED
    return replace(waiver, state=state, problem="; ".join(found))


def _date(text: str) -> datetime.date:
    """The date that a text is, in the one form that reports write. Raises ValueError for others: ISO has some that few people read."""
    found = datetime.date.fromisoformat(text)
    if found.isoformat() != text:
        raise ValueError(text)
    return found


def _rule_problems(pattern: str, rules: Sequence[str]) -> list[str]:
    """What is wrong with the rules that a waiver names."""
    if not pattern:
        return []
    named = [rule for rule in rules if fnmatch.fnmatchcase(rule, pattern)]
    if not pattern.strip(f"{WILD}."):
        return ["is over-broad: it would waive every rule; name the rules it is for"]
    if not named:
        near = get_close_matches(pattern, rules, n=1)
        return [f"names the rule {pattern!r}, which matches none{f'; did you mean {near[0]}?' if near else ''}"]
    if len(named) >= MANY and 2 * len(named) > len(rules):
        return [f"is over-broad: it would waive {len(named)} of {len(rules)} rules; name the rules it is for"]
    return []


def matcher(text: str) -> re.Pattern[str]:
    """A regular expression for a pattern over ids: `*` and `?` only, since ids have brackets (`plan/aws_subnet.a["x"]`)."""
    return re.compile("".join({"*": ".*", "?": "."}.get(char) or re.escape(char) for char in text), re.DOTALL)


def wild(waiver: Waiver) -> bool:
    """Whether it is for a pattern of resources, and not for one."""
    return any(char in waiver.resource for char in WILD)


def _own(identity: str, name: str) -> bool:
    """Whether the name is part of the id. Any other (a Name tag, an alias) is given by whoever may tag, to as many resources as they like."""
    return bool(name) and identity.endswith(name)


def _names(resource: re.Pattern[str], identity: str, name: str) -> bool:
    """Whether a pattern means a resource."""
    return bool(resource.fullmatch(identity) or (_own(identity, name) and resource.fullmatch(name)))


def _holds(waiver: Waiver, place: Where) -> bool:
    """Whether a place lies in the lines that a comment is for."""
    first, last = waiver.where.block
    return bool(place.file) and place.file == waiver.where.file and first <= place.line <= last


@frozen
class _Live:
    """A waiver that may match."""

    index: int
    waiver: Waiver
    resource: re.Pattern[str] | None
    """None for a comment, which is for lines. An annotation in a file is for both: several objects may stand on one line."""

    def whole(self, verdict: Verdict, own: Where) -> bool:
        """Whether it is for the verdict's resource."""
        lined = self.waiver.where.block != (0, 0)
        if lined and not (_holds(self.waiver, own) or any(_holds(self.waiver, call) for call in own.via)):
            return False
        return self.resource is None or _names(self.resource, verdict.subject, verdict.name)


class Waivers:
    """The live waivers of a run, ready to match."""

    def __init__(self, waivers: Sequence[Waiver]) -> None:
        self.all = tuple(waivers)
        self._live = [_live(index, w) for index, w in enumerate(self.all) if w.state is WaiverState.UNUSED]
        self._of: dict[str, list[_Live]] = {}
        self.matches: Counter[int] = Counter()

    def apply(self, verdict: Verdict, where: Where | None = None) -> Verdict:
        """The verdict, marked by the first waiver that matches where it is a failure. Every matching waiver counts as used.

        `where` is the place of the resource itself, as its block or object has it. A comment in a narrower place (a container) is for
        the failing facts that stand there: where one stands elsewhere the verdict stays open.
        """
        if verdict.status is not Status.FAIL or not self._live:
            return verdict
        live = self._of.get(verdict.rule)
        if live is None:
            live = [each for each in self._live if fnmatch.fnmatchcase(verdict.rule, each.waiver.rule)]
            self._of[verdict.rule] = live
        if not live:
            return verdict
        own = where or verdict.where
        found = [each for each in live if each.whole(verdict, own)] or _by_parts(live, verdict, own)
        self.matches.update(each.index for each in found)
        return verdict.replace(waiver=replace(found[0].waiver, state=WaiverState.USED)) if found else verdict


def _live(index: int, waiver: Waiver) -> _Live:
    if not waiver.inline:
        return _Live(index, waiver, matcher(waiver.moved or waiver.resource))
    if waiver.where.block != (0, 0) and waiver.resource == _place(waiver.where):
        return _Live(index, waiver, None)
    # NOTE: of an object that stands in two files the second one's id has `@` and its file
    more = r"(?:#.*)?" if waiver.where.block == (0, 0) else r"(?:[#@].*)?"
    return _Live(index, waiver, re.compile(re.escape(waiver.resource) + more, re.DOTALL))


def _by_parts(live: Sequence[_Live], verdict: Verdict, own: Where) -> list[_Live]:
    """The comments that are for all of a verdict's facts together; none where one fact has none."""
    comments = [each for each in live if each.resource is None]
    if not comments or not verdict.details:
        return []
    by = [[each for each in comments if _holds(each.waiver, detail.where or own)] for detail in verdict.details]
    return list({each.index: each for found in by for each in found}.values()) if all(by) else []


def settled(waivers: Sequence[Waiver], matches: Mapping[int, int]) -> tuple[Waiver, ...]:
    """The waivers with what became of them."""
    return tuple(
        replace(w, state=WaiverState.USED, matches=matches[index]) if matches.get(index) else w for index, w in enumerate(waivers)
    )


def ignored(waivers: Iterable[Waiver], why: str) -> tuple[Waiver, ...]:
    """Waivers that do not count, whatever they say."""
    return tuple(replace(waiver, state=WaiverState.IGNORED, problem=why) for waiver in waivers)


def distinct(waivers: Iterable[Waiver]) -> tuple[Waiver, ...]:
    """The waivers; one that says of rule and resource what another says already accepts nothing, or it would outlive that unseen."""
    first: dict[tuple[str, str, str], Waiver] = {}
    found = []
    for waiver in waivers:
        if waiver.state is WaiverState.UNUSED:
            known = first.setdefault((waiver.rule, waiver.resource, _place(waiver.where)), waiver)
            if known is not waiver:
                place = ":".join(filter(None, (known.where.file, str(known.where.line or ""))))
                found.append(replace(waiver, state=WaiverState.MALFORMED, problem=f"is a duplicate of the one at {place}"))
                continue
        found.append(waiver)
    return tuple(found)


Named = Iterable[tuple[str, str, str, str]]
"""(kind, native type, id, name) of resources."""


def measured(waivers: Sequence[Waiver], rules: Sequence[Rule], resources: Named) -> tuple[Waiver, ...]:
    """The waivers, with how much those match that are over-broad: most of the resources that their rules speak about.

    They still count: what a waiver accepts must not change because another resource went away.
    """
    wide = {
        index: (matcher(w.resource), _types(w, rules))
        for index, w in enumerate(waivers)
        if w.state in (WaiverState.USED, WaiverState.UNUSED) and not w.inline and wild(w)
    }
    if not wide:
        return tuple(waivers)
    among: Counter[tuple[str, str]] = Counter()
    matched: Counter[int] = Counter()
    for kind, native, identity, name in resources:
        among[kind, native] += 1
        matched.update(i for i, (pattern, types) in wide.items() if (kind, native) in types and _names(pattern, identity, name))
    found = list(waivers)
    for index, (_, types) in wide.items():
        every = sum(among[each] for each in types)
        if matched[index] >= MANY and 2 * matched[index] > every:
            problem = f"matches {matched[index]} of the {every} resources that its rules speak about"
            found[index] = replace(waivers[index], problem=problem)
    return tuple(found)


def _types(waiver: Waiver, rules: Sequence[Rule]) -> frozenset[tuple[str, str]]:
    """(kind, native type) of what a waiver's rules speak about."""
    mine = [rule for rule in rules if fnmatch.fnmatchcase(rule.id, waiver.rule)]
    return frozenset((rule.kind, native) for rule in mine for native in rule.covers)


def _place(where: Where) -> str:
    """The lines that a comment is for, in words; empty for none."""
    first, last = where.block
    return f"{where.file}:{first}" + (f"-{last}" if last != first else "") if first else ""


def read_inline(found: Inline, limits: Limits) -> list[Waiver]:
    """The waivers of a comment or an annotation, one for each rule that it names."""
    rules, fields, problems = parse(found.text)
    if found.problem:
        problems = [found.problem, *problems]
    return [
        checked(
            Waiver(
                rule,
                found.resource or _place(found.where),
                fields.get("reason", ""),
                fields.get("owner", ""),
                fields.get("until", ""),
                fields.get("ticket", ""),
                found.where,
                inline=True,
            ),
            limits,
            problems,
        )
        for rule in rules or ("",)
    ]
