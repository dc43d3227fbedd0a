"""What several reporters show: counts, findings that belong together, and what was not seen. Order and grouping, no judgement."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterable, Iterator
from types import MappingProxyType

from scanner.model import JSON, Extent, Gap, Reason, Report, Rule, Severity, State, Status, Verdict, Waiver, WaiverState, frozen


@frozen
class Group:
    """Verdicts of one rule over one native type: they share title, reason and fix."""

    rule: str
    severity: Severity
    native_type: str
    ai: bool
    """Whether the resources belong to the AI factory."""
    verdicts: tuple[Verdict, ...]
    """The first of them, where only so many were asked for."""
    count: int
    """All of them."""


@frozen
class Blind:
    """One thing that was not seen, and what that leaves undecided."""

    reason: Reason | None
    """None where a verdict is unknown and gives no gap."""
    call: str
    verdicts: int
    subjects: int
    """Resources and scopes."""
    rules: tuple[tuple[str, int], ...]
    """Rule id and how many of its verdicts, most first."""
    remedies: tuple[str, ...]
    details: tuple[str, ...]
    scopes: tuple[str, ...]


def summary(report: Report) -> dict[str, JSON]:
    """The counts that every format states: `fail` includes the waived ones, `open` is fail without them."""
    severities = report.opens()
    statuses = {status: report.count(status) for status in Status}
    return {
        "verdicts": sum(statuses.values()),
        "fail": statuses[Status.FAIL],
        "open": sum(severities.values()),
        "waived": report.waived,
        "unknown": statuses[Status.UNKNOWN],
        "pass": statuses[Status.PASS],
        "not_applicable": statuses[Status.NOT_APPLICABLE],
        "open_by_severity": {severity.value: severities.get(severity, 0) for severity in Severity},
        "rules": len(report.rules),
        "resources": report.resources,
        "listings": len(report.coverage),
        "listings_complete": sum(row.extent is Extent.COMPLETE for row in report.coverage),
        "calls": report.calls,
        "failed_calls": len(report.failed_calls),
    }


def grouped(verdicts: Iterable[Verdict], most: int | None = None) -> list[Group]:
    """Groups by severity, the AI factory's first within one, else in the order of the report; of each the first `most` verdicts."""
    groups: dict[tuple[int, bool, str, str], list[Verdict]] = {}
    counts: Counter[tuple[int, bool, str, str]] = Counter()
    for verdict in verdicts:
        key = (verdict.severity.rank, not verdict.ai_role, verdict.rule, verdict.native_type)
        counts[key] += 1
        kept = groups.setdefault(key, [])
        if most is None or len(kept) < most:
            kept.append(verdict)
    return [
        Group(key[2], list(Severity)[key[0]], key[3], not key[1], tuple(found), counts[key])
        for key, found in sorted(groups.items(), key=lambda item: item[0][:2])
    ]


def open_findings(report: Report, most: int | None = None, *, fresh: bool | None = None) -> list[Group]:
    """Failures that no waiver accepts; with `fresh` only those that the baseline does not know, or only those that it knows."""
    return grouped((v for v in report.notable() if v.open and fresh in (None, v.fresh)), most)


PAST = MappingProxyType(
    {
        State.FIXED: "mended or gone",
        State.UNSEEN: "cannot be seen now, so neither fixed nor new",
        State.UNJUDGED: "their rule or source was not looked at",
    }
)
"""What became of past findings."""


def annotated(report: Report) -> Iterator[Verdict]:
    """Open findings for a list that may be cut: what the baseline does not know first, and nothing else with `--new-only`."""
    yield from (verdict for verdict in report.notable() if verdict.open and verdict.fresh)
    if report.baseline and not report.baseline.new_only:
        yield from (verdict for verdict in report.notable() if verdict.open and not verdict.fresh)


def known_findings(report: Report) -> Counter[Severity]:
    """Severity → open findings that the baseline knows."""
    return Counter(verdict.severity for verdict in report.notable() if verdict.open and not verdict.fresh)


def compared(report: Report) -> str:
    """`3 new (1 worse, 1 reopened), 12 known, 4 fixed` and what else there is to say of a comparison; empty without one."""
    if not report.baseline:
        return ""
    counts = report.baseline.counts
    more = ", ".join(f"{counts[state]} {state.value}" for state in (State.WORSE, State.REOPENED) if counts[state])
    parts = [
        f"{report.baseline.fresh} new{f' ({more})' if more else ''}",
        f"{counts[State.UNCHANGED]} known",
        f"{counts[State.FIXED]} fixed",
    ]
    rare = (
        (State.NEWLY_UNKNOWN, "newly unknown"),
        (State.UNSEEN, "known but not seen now"),
        (State.UNJUDGED, "known but not judged now"),
    )
    return ", ".join([*parts, *(f"{counts[state]} {said}" for state, said in rare if counts[state])])


def told(verdict: Verdict) -> str:
    """What became of a verdict since the baseline, in words: `new`, `worse: was medium`, `known since 2026-11-30`; empty without one."""
    if not (change := verdict.change):
        return ""
    if change.state is State.UNCHANGED:
        return f"known{f' since {change.first_seen}' if change.first_seen else ''}{f' ({change.note})' if change.note else ''}"
    return f"{change.state.value.replace('_', ' ')}{f': {change.note}' if change.note else ''}"


def waived_findings(report: Report, most: int | None = None) -> list[Group]:
    """Failures that a waiver accepts."""
    return grouped((verdict for verdict in report.notable() if verdict.waiver is not None), most)


def of_status(report: Report, status: Status) -> list[Group]:
    """Verdicts of one status."""
    return grouped(verdict for verdict in report.verdicts if verdict.status is status)


class _Spot:
    """What one unanswered question leaves undecided, as it adds up."""

    def __init__(self) -> None:
        self.verdicts = 0
        self.subjects: set[tuple[str, str]] = set()
        self.rules: Counter[str] = Counter()
        self.remedies: dict[str, None] = {}
        self.details: dict[str, None] = {}
        self.scopes: dict[str, None] = {}

    def add(self, verdict: Verdict, gaps: Iterable[Gap]) -> None:
        """One more verdict, and its gaps of this reason and call."""
        self.verdicts += 1
        self.subjects.add((verdict.kind, verdict.subject))
        self.rules[verdict.rule] += 1
        self.scopes["/".join(filter(None, (verdict.scope, verdict.region)))] = None
        for gap in gaps:
            self.remedies |= {gap.remedy: None} if gap.remedy else {}
            self.details |= {gap.detail: None} if gap.detail else {}


def newly_unknown(report: Report) -> str:
    """`, 2 newly` where a baseline tells; empty without one."""
    return f", {report.baseline.counts[State.NEWLY_UNKNOWN]} newly" if report.baseline else ""


def blind_spots(report: Report, *, fresh: bool = False) -> list[Blind]:
    """Why verdicts are unknown, by reason and call: the reasons in the order of `Reason`, most verdicts first.

    With `fresh` only of verdicts that the baseline does not know as unknown.
    """
    found: dict[tuple[Reason | None, str], _Spot] = {}
    for verdict in report.notable():
        if verdict.status is Status.UNKNOWN and (verdict.fresh or not fresh):
            for reason, call in dict.fromkeys((gap.reason, gap.call) for gap in verdict.gaps) or [(None, "")]:
                gaps = [gap for gap in verdict.gaps if (gap.reason, gap.call) == (reason, call)]
                found.setdefault((reason, call), _Spot()).add(verdict, gaps)
    order: list[Reason | None] = [*Reason, None]
    spots = [
        Blind(
            reason=reason,
            call=call,
            verdicts=spot.verdicts,
            subjects=len(spot.subjects),
            rules=tuple(sorted(spot.rules.items(), key=lambda item: (-item[1], item[0]))),
            remedies=tuple(spot.remedies),
            details=tuple(spot.details),
            scopes=tuple(spot.scopes),
        )
        for (reason, call), spot in found.items()
    ]
    return sorted(spots, key=lambda spot: (order.index(spot.reason), -spot.verdicts, spot.call))


def troubled_waivers(report: Report) -> list[tuple[Waiver, str]]:
    """Waivers that do not do what their author thinks, and what is wrong: those that accept nothing first.

    Of one that is unused nothing is said where none of its rules was evaluated.
    """
    evaluated = [rule.id for rule in report.rules]
    found = [(waiver, said) for waiver in report.waivers if (said := _trouble(waiver, evaluated))]
    return sorted(
        found, key=lambda each: (TROUBLES.index(each[0].state), each[0].state is WaiverState.UNUSED and not each[0].problem)
    )


TROUBLES = (WaiverState.MALFORMED, WaiverState.EXPIRED, WaiverState.USED, WaiverState.UNUSED, WaiverState.IGNORED)


def _trouble(waiver: Waiver, evaluated: Iterable[str]) -> str:
    """What is wrong with a waiver; empty for nothing."""
    if waiver.state is WaiverState.MALFORMED:
        return f"malformed, accepts nothing: {waiver.problem}"
    if waiver.state is WaiverState.EXPIRED:
        return f"expired on {waiver.expires}, accepts nothing any more"
    if waiver.state is WaiverState.IGNORED:
        return f"ignored, accepts nothing: {waiver.problem}"
    if waiver.problem:
        return f"over-broad: it {waiver.problem}"
    if waiver.moved and waiver.state is WaiverState.USED:
        return f"for what is {waiver.moved} now: write that, since no plan tells a move that is applied"
    if waiver.state is WaiverState.USED or not any(fnmatch.fnmatchcase(rule, waiver.rule) for rule in evaluated):
        return ""
    if waiver.inline:
        return "unused, no finding stands there and nowhere else"
    return f"unused, no finding matches it{f'; what it names is {waiver.moved} now' if waiver.moved else ''}"


def waiver_name(waiver: Waiver) -> str:
    """What a waiver is called: its rule, and what it is for. Not yet `visible`."""
    return f"{waiver.rule or '?'} on {waiver.resource or '?'}"


def fixes(rule: Rule | None, native_type: str, *, filed: bool) -> list[tuple[str, str]]:
    """How to mend, as (by what, text): a file's own language first where the resource stands in a file (`filed`)."""
    known = rule.covers[native_type].fix if rule and native_type in rule.covers else {}
    order = ("terraform", "manifest", "cli", "console") if filed else ("cli", "console", "terraform", "manifest")
    return [(by, known[by]) for by in sorted(known, key=lambda by: (order.index(by) if by in order else len(order), by))]
