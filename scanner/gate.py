"""The gate: one number from a report.

0 passed · 1 findings at or above the bar · 3 nothing was judged · 4 incomplete. (2 and 70 never get as far as a report.) With
`--new-only` findings and unknowns that the baseline knows do not count; what was not judged or not read still does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from scanner.model import BartizanError, Reason, Report, Severity, Status

ALLOWED = frozenset({Reason.KNOWN_AFTER_APPLY, Reason.NOT_OFFERED, Reason.REGION_OFF, Reason.SERVICE_OFF, Reason.SENSITIVE})
"""Unknowns that do not stop the gate unless told so: nobody could have seen more from there."""


def parse_allowed(text: str | None) -> frozenset[Reason]:
    """The reasons of `--allow-unknown`: names joined by commas, `all` or `none`; None for the default."""
    if text is None:
        return ALLOWED
    if text in ("all", "none"):
        return frozenset(Reason) if text == "all" else frozenset()
    found = set()
    for name in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.add(Reason(name))
        except ValueError as error:
            raise BartizanError(f"--allow-unknown {name}: is none of {', '.join(Reason)}, all, none.") from error
    return frozenset(found)


def gate(
    report: Report, fail_on: Severity | None, allowed: Collection[Reason], *, waivers_unreadable: bool = False
) -> tuple[int, str]:
    """(exit code, the sentence that says why). `fail_on` None lets every finding pass."""
    bar = fail_on.rank if fail_on else -1
    new_only = report.baseline is not None and report.baseline.new_only
    failed: Counter[Severity] = Counter()
    new = known = 0
    unseen: Counter[Reason] = Counter()
    for verdict in report.notable():
        if verdict.open and verdict.severity.rank <= bar:
            new += verdict.fresh
            known += not verdict.fresh
            failed[verdict.severity] += verdict.fresh or not new_only
        elif new_only and not verdict.fresh:
            continue
        elif verdict.status is Status.UNKNOWN and (fail_on is None or verdict.severity.rank <= bar):
            unseen.update(({g.reason for g in verdict.gaps} or {Reason.BUG}) - set(allowed))
    judged = (
        report.count(Status.FAIL) + report.count(Status.PASS) + report.count(Status.UNKNOWN) + report.count(Status.NOT_APPLICABLE)
    )
    if not report.rules:
        return 3, "no rule was evaluated"
    if not judged:
        return 3, "nothing was judged: no resource that the rules speak about was found"
    if failed.total():
        parts = ", ".join(f"{failed[s]} {s.value}" for s in Severity if failed[s])
        above = f"at or above {fail_on.value if fail_on else ''}"
        if new_only:
            return 1, f"failed: {new} new {'finding' if new == 1 else 'findings'} ({parts}) {above}, {known} known"
        return 1, f"failed: {parts} {above}{f' ({new} new, {known} known)' if report.baseline else ''}"
    if waivers_unreadable:
        return 4, "incomplete: the waivers could not be read"
    if report.problems:
        return 4, f"incomplete: {len(report.problems)} {'input' if len(report.problems) == 1 else 'inputs'} could not be read"
    if unseen:
        parts = ", ".join(f"{unseen[r]} {r.value}" for r in Reason if unseen[r])
        newly = "newly " if new_only else ""
        return 4, f"incomplete: verdicts {newly}unknown ({parts}); cure them, or allow them with --allow-unknown"
    if fail_on is None:
        return 0, "passed: no open finding counts (--fail-on none)"
    if new_only:
        return 0, f"passed: no new finding, {known} known at or above {fail_on.value}"
    return 0, f"passed: no open finding at or above {fail_on.value}"
