"""The gate: one number from a report.

0 passed · 1 findings at or above the bar · 3 nothing was judged · 4 incomplete. (2 and 70 never get as far as a report.) With
`--new-only` findings and unknowns that the baseline knows do not count; what was not judged or not read still does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from scanner.model import BartizanError, Reason, Report, Severity, Status

ALLOWED = frozenset({Reason.KNOWN_AFTER_APPLY, Reason.NOT_OFFERED, Reason.REGION_OFF, Reason.SERVICE_OFF, Reason.SENSITIVE})
"""Unknowns that do not stop the gate unless told so: nobody could have seen more from there."""


def parse_allowed(text: str | None) -> frozenset[Reason]:
    """The reasons of `--allow-unknown`; None for the default.

    Names joined by commas, `all` or `none`; or what is to change about the default: `-known_after_apply`, `+denied,-sensitive`.
    """
    if text is None:
        return ALLOWED
    if text in ("all", "none"):
        return frozenset(Reason) if text == "all" else frozenset()
    parts = [part.strip() for part in text.split(",") if part.strip()]
    found, changed = set[Reason](), set(ALLOWED)
    for part in parts:
        name = part.lstrip("+-")
        try:
            reason = Reason(name)
        except ValueError as error:
            raise BartizanError(f"--allow-unknown {name}: is none of {', '.join(Reason)}, all, none.") from error
        found.add(reason)
        (changed.discard if part.startswith("-") else changed.add)(reason)
    signed = [part for part in parts if part[0] in "+-"]
    if signed and len(signed) < len(parts):
        raise BartizanError(f"--allow-unknown {text}: give a sign (+ or -) to every reason, which changes the default, or to none.")
    return frozenset(changed if signed else found)


def gate(
    report: Report, fail_on: Severity | None, allowed: Collection[Reason], *, waivers_unreadable: bool = False
) -> tuple[int, str]:
    """(exit code, the sentence that says why). `fail_on` None lets every finding pass."""
    if not report.rules:
        return 3, "no rule was evaluated"
    if not any(report.count(status) for status in Status):
        return 3, "nothing was judged: no resource that the rules speak about was found"
    counted = _count(report, fail_on, allowed)
    if counted.failed.total():
        return 1, f"failed: {_findings(report, counted, fail_on)}"
    if waivers_unreadable:
        return 4, "incomplete: the waivers could not be read"
    if report.problems:
        return 4, f"incomplete: {len(report.problems)} {'input' if len(report.problems) == 1 else 'inputs'} could not be read"
    if counted.unseen:
        parts = ", ".join(f"{counted.unseen[r]} {r.value}" for r in Reason if counted.unseen[r])
        newly = "newly " if _new_only(report) else ""
        return 4, f"incomplete: verdicts {newly}unknown ({parts}); cure them, or allow them with --allow-unknown"
    return 0, f"passed: {_passed(report, counted, fail_on)}"


@dataclass(slots=True)
class _Counted:
    """What counts for the gate."""

    failed: Counter[Severity] = field(default_factory=Counter)
    unseen: Counter[Reason] = field(default_factory=Counter)
    new: int = 0
    known: int = 0
    """Findings at or above the bar that the baseline knows."""


def _new_only(report: Report) -> bool:
    return report.baseline is not None and report.baseline.new_only


def _count(report: Report, fail_on: Severity | None, allowed: Collection[Reason]) -> _Counted:
    """Count what is at or above the bar."""
    bar = fail_on.rank if fail_on else -1
    new_only = _new_only(report)
    found = _Counted()
    for verdict in report.notable():
        counts = verdict.fresh or not new_only
        if verdict.open and verdict.severity.rank <= bar:
            found.new += verdict.fresh
            found.known += not verdict.fresh
            found.failed[verdict.severity] += counts
        elif counts and verdict.status is Status.UNKNOWN and (fail_on is None or verdict.severity.rank <= bar):
            found.unseen.update(({g.reason for g in verdict.gaps} or {Reason.BUG}) - set(allowed))
    return found


def _findings(report: Report, counted: _Counted, fail_on: Severity | None) -> str:
    """How many failed, in words."""
    parts = ", ".join(f"{counted.failed[s]} {s.value}" for s in Severity if counted.failed[s])
    above = f"at or above {fail_on.value if fail_on else ''}"
    if _new_only(report):
        return f"{counted.new} new {'finding' if counted.new == 1 else 'findings'} ({parts}) {above}, {counted.known} known"
    return f"{parts} {above}{f' ({counted.new} new, {counted.known} known)' if report.baseline else ''}"


def _passed(report: Report, counted: _Counted, fail_on: Severity | None) -> str:
    """What is not there, in words."""
    if fail_on is None:
        return "no open finding counts (--fail-on none)"
    if _new_only(report):
        return f"no new finding, {counted.known} known at or above {fail_on.value}"
    return f"no open finding at or above {fail_on.value}"
