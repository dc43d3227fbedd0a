"""The judge: one pure function from what a rule proved, and what was not seen, to a verdict.

| in fail | in exempt | in safe | in scope | gap in scope_on | gap in fail_on | verdict |
|---|---|---|---|---|---|---|
| yes | no | no | | | | fail |
| yes | | yes | | | | unknown, reason `bug` (the rule contradicts itself) |
| | yes | | | | | not_applicable, with the exemption's reason |
| no | | yes | | | | pass |
| no | | | no | no | | not_applicable |
| no | | | no | yes | | unknown |
| no | | | yes | | yes | unknown, with the gap's reason and remedy |
| no | | | yes | | no | pass |

The first row that fits decides. Rules only prove; nothing else in the project makes a pass.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from scanner.model import (
    JSON,
    Coverage,
    Detail,
    Evidence,
    Gap,
    Origin,
    Reason,
    Resource,
    Rule,
    Severity,
    Status,
    Verdict,
    Where,
    fingerprint,
    frozen,
)

ENCODER = json.JSONEncoder(ensure_ascii=False)
MOST_VALUE = 2_000
"""Characters of JSON of one value in a verdict; a longer one is named, not copied."""
DRAWERS = ("aws", "gcp", "azure", "kubernetes")
"""Prefixes of facts that only one provider's resources have."""


@frozen
class Proof:
    """What one rule proved about the resources of a chunk."""

    fail: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Resource id → its failing facts: `fact`, `message`, `expected`, and perhaps `actual` and `tag`."""
    scope: frozenset[str] = frozenset()
    safe: frozenset[str] = frozenset()
    exempt: Mapping[str, str] = field(default_factory=dict)
    """Resource id → reason."""
    error: str = ""
    """What went wrong while the rule ran; then nothing else counts."""


def within(proof: Proof, given: frozenset[str]) -> Proof:
    """`proof`, or an error where it names what was not given: a failure under a wrong id would be nobody's."""
    named = (proof.fail.keys() | proof.exempt.keys() | proof.scope | proof.safe) - given
    return Proof(error=f"the rule names {min(named)[:80]!r}, which is no resource that it was given") if named else proof


def gap_of(resource: Resource, fact: str) -> Gap | None:
    """Why a fact is not (wholly) known; None where it is. A fact that nobody filled is `not_offered`."""
    gap = resource.gaps.get(fact)
    if gap is not None or fact in resource.facts:
        return gap
    drawer = fact.split(".", 1)[0] if "." in fact else ""
    if drawer in DRAWERS and drawer != resource.provider:
        return None
    return Gap(Reason.NOT_OFFERED, "", f"This source does not tell {fact.replace('_', ' ')}.")


def gaps_in(resource: Resource, facts: Iterable[str]) -> tuple[tuple[str, Gap], ...]:
    """(fact, gap) of those facts that are not wholly known."""
    return tuple((fact, gap) for fact in facts if (gap := gap_of(resource, fact)) is not None)


Controls = Mapping[str, tuple[str, ...]]
SILENT = "the rule does not speak about it"


def settle(rule: Rule, resource: Resource, proof: Proof) -> tuple[Status, str] | None:
    """(status, message) where the resource passes or the rule does not apply; None where it fails or cannot be known."""
    subject = resource.id
    if proof.error or (subject in proof.fail and (subject in proof.safe or subject not in proof.exempt)):
        return None
    if subject in proof.exempt:
        return Status.NOT_APPLICABLE, f"exempt: {proof.exempt[subject]}"
    if subject in proof.safe:
        return Status.PASS, rule.title
    if subject not in proof.scope:
        return None if gaps_in(resource, rule.scope_on) else (Status.NOT_APPLICABLE, SILENT)
    return None if gaps_in(resource, rule.fail_on) else (Status.PASS, rule.title)


Shown = dict[str, Evidence | None]
"""Fact → how it is shown, None where there is nothing to show: the same to every rule that asks about a resource."""


def recall(
    rule: Rule, resource: Resource, settled: tuple[Status, str], severity: Severity, controls: Controls, shown: Shown | None = None
) -> Verdict:
    """The whole verdict of what `settle` said. `shown` is kept by a caller who recalls several of one resource."""
    status, message = settled
    frame = _Frame(rule, resource, severity, controls, {} if shown is None else shown)
    return frame.verdict(status, message, evidence=frame.evidence(rule.scope_on if message == SILENT else rule.needs))


def judge(
    rule: Rule, resource: Resource, proof: Proof, severity: Severity | None = None, controls: Controls | None = None
) -> Iterator[Verdict]:
    """What `rule` says about `resource`: one verdict, or one for each tag where the author told failures apart.

    `controls` are the rule's for the resource's type, where the caller has them at hand.
    """
    subject = resource.id
    severity = severity or rule.severity
    controls = rule.controls_for(resource.native_type) if controls is None else controls
    settled = settle(rule, resource, proof)
    if settled is not None:
        yield recall(rule, resource, settled, severity, controls)
        return
    frame = _Frame(rule, resource, severity, controls, {})
    failures = proof.fail.get(subject, ())
    if proof.error:
        yield frame.unknown([("", Gap(Reason.BUG, rule.id, "Report it to the rule's author.", proof.error))])
    elif failures and subject in proof.safe:
        text = "the rule says both that it fails and that it is safe"
        yield frame.unknown([("", Gap(Reason.BUG, rule.id, "Report it to the rule's author.", text))])
    elif failures:
        for tag in sorted({str(f.get("tag", "")) for f in failures}):
            yield frame.fail([f for f in failures if str(f.get("tag", "")) == tag], tag)
    else:
        yield frame.unknown(gaps_in(resource, rule.scope_on if subject not in proof.scope else rule.fail_on))


class _Frame:
    """What all verdicts of one rule on one resource share."""

    def __init__(self, rule: Rule, resource: Resource, severity: Severity, controls: Controls, shown: Shown) -> None:
        self.shown = shown
        self.rule = rule
        self.resource = resource
        self.severity = severity
        self.controls = controls

    def verdict(self, status: Status, message: str, tag: str = "", where: Where | None = None, **more: Any) -> Verdict:
        rule, resource = self.rule, self.resource
        return Verdict(
            rule=rule.id,
            status=status,
            severity=self.severity,
            subject=resource.id,
            name=resource.name,
            kind=resource.kind,
            native_type=resource.native_type,
            provider=resource.provider,
            scope=resource.scope,
            region=resource.region,
            message=message,
            where=where or resource.where,
            catalog=rule.covers[resource.native_type].catalog,
            controls=self.controls,
            fingerprint=fingerprint(rule.id, resource.id, tag),
            tag=tag,
            ai_role=_role(resource),
            source=resource.source,
            **more,
        )

    def fail(self, failures: Sequence[Mapping[str, Any]], tag: str) -> Verdict:
        facts = self.resource.facts
        details = sorted(
            (
                Detail(
                    fact=str(f.get("fact", "")),
                    message=str(f.get("message", self.rule.title)),
                    expected=bounded(f.get("expected")),
                    actual=bounded(f["actual"]) if "actual" in f else _plain(facts.get(str(f.get("fact", "")))),
                    where=_place(self.resource, f),
                )
                for f in failures
            ),
            key=lambda d: (d.fact, d.message, json.dumps(d.expected, sort_keys=True)),
        )
        message = "; ".join(dict.fromkeys(d.message for d in details))
        facts_named = dict.fromkeys((*(d.fact for d in details), *self.rule.needs))
        where = next((d.where for d in details if d.where), None)
        return self.verdict(Status.FAIL, message, tag, where, details=tuple(details), evidence=self.evidence(facts_named))

    def unknown(self, gaps: Sequence[tuple[str, Gap]]) -> Verdict:
        message = "; ".join(
            dict.fromkeys(f"{fact.replace('_', ' ')} is unknown: {gap.text}" if fact else gap.text for fact, gap in gaps)
        )
        distinct = tuple(dict.fromkeys(gap for _, gap in gaps))
        return self.verdict(Status.UNKNOWN, message, gaps=distinct, evidence=self.evidence(self.rule.needs))

    def evidence(self, facts: Iterable[str]) -> tuple[Evidence, ...]:
        return tuple(each for fact in facts if (each := self.shown[fact] if fact in self.shown else self._show(fact)) is not None)

    def _show(self, fact: str) -> Evidence | None:
        resource = self.resource
        gap = gap_of(resource, fact)
        there = fact in resource.facts or gap is not None
        shown = Evidence(fact, bounded(resource.facts.get(fact)), resource.origins.get(fact), gap) if there else None
        self.shown[fact] = shown
        return shown


def _place(resource: Resource, failure: Mapping[str, Any]) -> Where | None:
    """The narrowest place of a finding: of the setting of the container that it shows, of the container, of the fact."""
    fact, shown, places = str(failure.get("fact", "")), failure.get("actual"), resource.places
    names = [fact]
    if places and isinstance(shown, Mapping) and "container" in shown:
        item = f"[{shown['container']}]"
        names = [*(f"{fact}{item}.{setting}" for setting in shown), f"{fact}{item}", *(n for n in places if n.endswith(item)), fact]
    elif places and isinstance(shown, str):
        names = [f"{fact}[{shown}]", fact]  # an element of a list, by the words in which the rule shows it
    return next((places[name] for name in names if name in places), None)


def _role(resource: Resource) -> str:
    role = resource.facts.get("ai_role")
    return role if isinstance(role, str) and role != "none" else ""


def _plain(value: JSON) -> JSON:
    """A value that speaks for itself. A list of objects does not: the rule's message names the one that is meant."""
    composite = isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict | list) for item in value))
    return None if composite else bounded(value)


def _few(names: Sequence[str], most: int = 4) -> str:
    """The first few names, and how many more."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def bounded(value: JSON) -> JSON:
    """A value that is small enough for a report; a large one as a sentence about it."""
    if value and isinstance(value, str | list | dict):
        size = len(value) if isinstance(value, str) else len(ENCODER.encode(value))
        if size > MOST_VALUE:
            what = f"{len(value)} items" if isinstance(value, list | dict) else "text"
            return f"({what}, {size} characters; see `bartizan explain`)"
    return value


def listing_unknowns(rule: Rule, coverage: Iterable[Coverage], severity: Severity | None = None) -> Iterator[Verdict]:
    """One unknown for each scope in which resources that the rule speaks about could not all be listed."""
    missing: dict[tuple[str, str], list[Coverage]] = {}
    for row in coverage:
        if row.native_type in rule.covers and row.kind == rule.kind and row.gap is not None:
            missing.setdefault((row.scope, row.source), []).append(row)
    for (scope, source), rows in sorted(missing.items()):
        gaps = tuple(dict.fromkeys(r.gap for r in rows if r.gap))
        natives = sorted({r.native_type for r in rows})
        regions = sorted({r.region for r in rows if r.region})
        where = f" in {_few(regions)}" if regions else ""
        partial = all(r.count for r in rows)
        covers = [rule.covers[n] for n in natives]
        yield Verdict(
            rule=rule.id,
            status=Status.UNKNOWN,
            severity=severity or rule.severity,
            subject=scope,
            name=scope,
            kind=rule.kind,
            native_type=", ".join(natives),
            provider=source.split(":", 1)[0],
            scope=scope,
            region=", ".join(regions),
            message=f"{'not all' if partial else 'no'} {', '.join(natives)} could be listed{where}: "
            + "; ".join(g.text for g in gaps),
            gaps=gaps,
            evidence=tuple(
                Evidence("listing", r.count, Origin(r.gap.call if r.gap else "", f"{r.native_type} {r.region}"), r.gap)
                for r in rows
            ),
            where=Where(locator=scope),
            catalog=tuple(dict.fromkeys(c for cover in covers for c in cover.catalog)),
            controls=rule.controls_for(natives[0]),
            fingerprint=fingerprint(rule.id, scope, "listing:" + ",".join(natives)),
            level="scope",
            source=source,
        )
