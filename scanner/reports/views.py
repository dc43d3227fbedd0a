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
    statuses = Counter(verdict.status for verdict in report.verdicts)
    severities = Counter(verdict.severity for verdict in report.verdicts if verdict.open)
    return {
        "verdicts": len(report.verdicts),
        "fail": statuses[Status.FAIL],
        "open": sum(severities.values()),
        "waived": statuses[Status.FAIL] - sum(severities.values()),
        "unknown": statuses[Status.UNKNOWN],
        "pass": statuses[Status.PASS],
        "not_applicable": statuses[Status.NOT_APPLICABLE],
        "open_by_severity": {severity.value: severities[severity] for severity in Severity},
        "rules": len(report.rules),
        "resources": report.resources,
        "listings": len(report.coverage),
        "listings_complete": sum(row.extent is Extent.COMPLETE for row in report.coverage),
        "calls": report.calls,
        "failed_calls": len(report.failed_calls),
    }


def grouped(verdicts: Iterable[Verdict]) -> list[Group]:
    """Groups by severity, the AI factory's first within one, else in the order of the report."""
    groups: dict[tuple[int, bool, str, str], list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault((verdict.severity.rank, not verdict.ai_role, verdict.rule, verdict.native_type), []).append(verdict)
    return [
        Group(rule, list(Severity)[rank], native_type, not outside, tuple(found))
        for (rank, outside, rule, native_type), found in sorted(groups.items(), key=lambda item: item[0][:2])
    ]


def open_findings(report: Report) -> list[Group]:
    """Failures that no waiver accepts."""
    return grouped(verdict for verdict in report.verdicts if verdict.open)


def waived_findings(report: Report) -> list[Group]:
    """Failures that a waiver accepts."""
    return grouped(verdict for verdict in report.verdicts if verdict.waiver is not None)


def of_status(report: Report, status: Status) -> list[Group]:
    """Verdicts of one status."""
    return grouped(verdict for verdict in report.verdicts if verdict.status is status)


def blind_spots(report: Report) -> list[Blind]:
    """Why verdicts are unknown, by reason and call: the reasons in the order of `Reason`, most verdicts first."""
    found: dict[tuple[Reason | None, str], list[tuple[Verdict, Gap | None]]] = {}
    for verdict in report.verdicts:
        if verdict.status is Status.UNKNOWN:
            for reason, call, gap in dict.fromkeys((gap.reason, gap.call, gap) for gap in verdict.gaps) or [(None, "", None)]:
                found.setdefault((reason, call), []).append((verdict, gap))
    order: list[Reason | None] = [*Reason, None]
    spots = [_blind(reason, call, seen) for (reason, call), seen in found.items()]
    return sorted(spots, key=lambda spot: (order.index(spot.reason), -spot.verdicts, spot.call))


def _blind(reason: Reason | None, call: str, seen: list[tuple[Verdict, Gap | None]]) -> Blind:
    """Everything that one unanswered question leaves undecided."""
    verdicts = {id(verdict): verdict for verdict, _ in seen}.values()
    rules = Counter(verdict.rule for verdict in verdicts)
    gaps = [gap for _, gap in seen if gap]

    def distinct(take: Callable[[Gap], str]) -> tuple[str, ...]:
        """Values in order of appearance, each once."""
        return tuple(dict.fromkeys(text for gap in gaps if (text := take(gap))))

    return Blind(
        reason=reason,
        call=call,
        verdicts=len(verdicts),
        subjects=len({(verdict.kind, verdict.subject) for verdict in verdicts}),
        rules=tuple(sorted(rules.items(), key=lambda item: (-item[1], item[0]))),
        remedies=distinct(lambda gap: gap.remedy),
        details=distinct(lambda gap: gap.detail),
        scopes=tuple(dict.fromkeys("/".join(filter(None, (v.scope, v.region))) for v in verdicts)),
    )


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
