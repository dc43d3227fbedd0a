"""What several reporters show: counts, findings that belong together, and what was not seen. Order and grouping, no judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from scanner.model import JSON, Extent, Gap, Reason, Report, Rule, Severity, Status, Verdict, Waiver, WaiverState


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


def open_findings(report: Report, most: int | None = None) -> list[Group]:
    """Failures that no waiver accepts."""
    return grouped((verdict for verdict in report.notable() if verdict.open), most)


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


def blind_spots(report: Report) -> list[Blind]:
    """Why verdicts are unknown, by reason and call: the reasons in the order of `Reason`, most verdicts first."""
    found: dict[tuple[Reason | None, str], _Spot] = {}
    for verdict in report.notable():
        if verdict.status is Status.UNKNOWN:
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
    """Waivers that do not do what their author thinks, and what is wrong: malformed and expired ones first."""
    said: dict[WaiverState, Callable[[Waiver], str]] = {
        WaiverState.MALFORMED: lambda waiver: f"malformed, accepts nothing: {waiver.problem}",
        WaiverState.EXPIRED: lambda waiver: f"expired on {waiver.expires}, accepts nothing any more",
        WaiverState.UNUSED: lambda _: "unused, no finding matches it",
    }
    order = list(said)
    found = sorted((each for each in report.waivers if each.state in said), key=lambda each: order.index(each.state))
    return [(waiver, said[waiver.state](waiver)) for waiver in found]


def fixes(rule: Rule | None, native_type: str, *, filed: bool) -> list[tuple[str, str]]:
    """How to mend, as (by what, text): a file's own language first where the resource stands in a file (`filed`)."""
    known = rule.covers[native_type].fix if rule and native_type in rule.covers else {}
    order = ("terraform", "manifest", "cli", "console") if filed else ("cli", "console", "terraform", "manifest")
    return [(by, known[by]) for by in sorted(known, key=lambda by: (order.index(by) if by in order else len(order), by))]
