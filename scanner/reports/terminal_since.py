"""What the terminal says of a baseline: known findings folded to a line, and what became of those that are none now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scanner.model import Report, Severity, State
from scanner.reports import text as words
from scanner.reports import views

if TYPE_CHECKING:
    from scanner.reports.page import Page

STYLES = {State.FIXED: "bold green", State.UNSEEN: "bold blue", State.UNJUDGED: "bold"}


def render(report: Report, page: Page, most: int | None, block: Callable[[views.Group], None]) -> None:
    """Write it; `most` past findings of a state, or with None all, and known findings as a `block` each."""
    if known := views.known_findings(report):
        counts = ", ".join(f"{known[each]} {each.value}" for each in Severity if known[each])
        more = "" if most is None else " (-v shows them)"
        page.line(
            "", ("KNOWN", "bold"), (f"  {words.many(known.total(), 'finding')} of the baseline: {counts}{more}", ""), hang="    "
        )
        page.blank()
        for group in views.open_findings(report, fresh=False) if most is None else ():
            block(group)
    for state, style in STYLES.items():
        past = report.baseline.of(state) if report.baseline else ()
        if not past:
            continue
        page.line(
            "", (state.value.upper(), style), (f"  {words.many(len(past), 'finding')} of the baseline: {views.PAST[state]}", "")
        )
        for each in past[:most]:
            entry, note = each.entry, f"  ({each.note})" if each.note else ""
            page.line("    ", (f"{page.safe(entry.rule)}  {page.safe(entry.resource + note)}", ""))
        if most is not None and len(past) > most:
            page.line("    ", (f"and {len(past) - most} more (see JSON)", "italic"))
        page.blank()
