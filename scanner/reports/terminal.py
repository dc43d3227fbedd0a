"""The report for a person at a terminal: one block a finding, like a good compiler's, and the gate's answer last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

from rich.cells import cell_len

from scanner.model import Detail, Evidence, Extent, Report, Rule, Severity, Status, Verdict, Waiver
from scanner.reports import terminal_since as since
from scanner.reports import text as words
from scanner.reports import views
from scanner.reports.page import Page, colorful

SHOWN = 5
"""Resources of a group, and blind spots of a reason, before `and N more`."""

STYLES = {
    Severity.CRITICAL: "bold magenta",
    Severity.HIGH: "bold red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "cyan",
    Severity.INFO: "dim",
}
TIMES = "\u00d7"
FEW = 3
"""Controls of one framework that are shown, unless `verbose`."""
LOUD = Severity.HIGH
"""Findings less severe than this are a line or two each, unless `verbose`: what matters must not drown in what may wait."""


def render(
    report: Report,
    out: TextIO,
    *,
    quiet: bool = False,
    verbose: int = 0,
    width: int | None = None,
    color: bool | None = None,
) -> None:
    """Write the report. `quiet` leaves only the last line; `verbose` adds passes, evidence and every resource.

    Without `color`, it is used where `out` is a terminal and `NO_COLOR` (https://no-color.org) is not set; without `width`, it is
    the terminal's, or 80 columns (or `COLUMNS`) where there is none.
    """
    page = Page(out, width, color=colorful(out) if color is None else color)
    if not quiet:
        Terminal(report, page, verbose).body()
    style = "bold green" if report.exit_code == 0 else "bold red"
    answer = page.safe(report.exit_reason) if report.exit_reason else "gate passed" if report.exit_code == 0 else "gate failed"
    page.line("", (answer, style), (f" (exit {report.exit_code})", ""))


class Terminal:
    """One report on one page."""

    def __init__(self, report: Report, page: Page, verbose: int) -> None:
        self.report = report
        self.page = page
        self.verbose = verbose
        self.rules: Mapping[str, Rule] = {rule.id: rule for rule in report.rules}

    def body(self) -> None:
        """Everything but the gate's answer."""
        self._findings()
        self._waived()
        if self.report.baseline:
            since.render(self.report, self.page, None if self.verbose else SHOWN, self._block)
        self._blind()
        if self.verbose:
            self._settled(Status.PASS, "passed")
            self._settled(Status.NOT_APPLICABLE, "not applicable")
            self._listings()
        self._notes()
        self._coverage()

    def _findings(self) -> None:
        """Open failures, most dangerous first."""
        groups = views.open_findings(self.report, None if self.verbose else SHOWN, fresh=True)
        new = " new" if self.report.baseline else ""
        for severity in Severity:
            mine = [group for group in groups if group.severity is severity]
            if not mine:
                continue
            total = sum(group.count for group in mine)
            inside = sum(group.count for group in mine if group.ai)
            style = STYLES[severity]
            factory = f", {inside} in the AI factory" if inside else ""
            brief = severity.rank > LOUD.rank and not self.verbose
            said = " (-v shows each like those above)" if brief else ""
            self.page.line(
                "",
                (severity.value.upper(), style),
                (f"  {total}{new} {'finding' if total == 1 else 'findings'}{factory}{said}", ""),
            )
            self.page.blank()
            for group in mine:
                (self._brief if brief else self._block)(group)
            if brief:
                self.page.blank()

    def _waived(self) -> None:
        """Failures that a waiver accepts: still there, after all that are not."""
        groups = views.waived_findings(self.report, None if self.verbose else SHOWN)
        if groups:
            self.page.line("", ("WAIVED", "bold"), (f"  {words.many(self.report.waived, 'accepted finding')}", ""))
            self.page.blank()
        for group in groups:
            self._block(group)

    def _brief(self, group: views.Group) -> None:
        """One rule and how many resources break it, the first by name."""
        rule = self.rules.get(group.rule)
        self._head(group, self.page.safe(rule.title) if rule else "")
        first = group.verdicts[0]
        where = next((d.where for d in first.details if d.where and d.where.file), first.where)
        factory = f"** AI factory: {self.page.safe(first.ai_role)}  " if first.ai_role else ""
        more = f" and {group.count - 1} more" if group.count > 1 else ""
        place = self.page.safe(words.place(where) or first.subject)
        self.page.line("  --> ", (factory, "bold yellow"), (place, "bold"), (more, ""), hang="      ")

    def _block(self, group: views.Group) -> None:
        """One rule and the resources that break it."""
        rule = self.rules.get(group.rule)
        title = self.page.safe(rule.title) if rule else ""
        self._head(group, title)
        shown = group.verdicts if self.verbose else group.verdicts[:SHOWN]
        for verdict in shown:
            self._subject(verdict)
            self._facts(verdict)
            if self.verbose:
                self._evidence(verdict.evidence)
            if verdict.waiver:
                self._waiver(verdict.waiver)
        self._more(group.count - len(shown), "  = ")
        if rule and rule.description:
            self.page.line("  = ", ("why: ", "bold"), (self.page.safe(words.sentence(rule.description)), ""))
        for by, text in views.fixes(rule, group.native_type, filed=bool(group.verdicts[0].where.file)):
            self._fix(by, text)
        if controls := words.controls(group.verdicts[0].controls, None if self.verbose else FEW):
            self.page.line("  = ", ("controls: ", "bold"), (self.page.safe(controls), ""))
        self.page.blank()

    def _head(self, group: views.Group, title: str) -> None:
        """`rule.id [severity] title`."""
        severity = (f"[{group.severity.value}]", STYLES[group.severity])
        self.page.line("", (self.page.safe(group.rule), "bold"), (" ", ""), severity, (f" {title}", ""), hang="    ")

    def _subject(self, verdict: Verdict) -> None:
        """`--> file:line:column` and the resource id, or the id alone; then what and where it is."""
        where = next((d.where for d in verdict.details if d.where and d.where.file), verdict.where)
        file, safe = words.place(where), self.page.safe
        self.page.line("  --> ", (safe(file or verdict.subject), "bold"))
        if file:
            self.page.line("      ", (safe(verdict.subject), ""))
        if where.via:
            self.page.line("      ", (f"through {safe(words.through(where))}", ""), hang="        ")
        if where.note:
            self.page.line("      ", (f"({safe(where.note)})", ""), hang="       ")
        scope = "/".join(filter(None, (verdict.provider, verdict.scope, verdict.region)))
        named = f"{verdict.native_type} {verdict.name}" if verdict.level == "resource" else f"every {verdict.native_type}"
        self.page.line("      ", (safe(f"{named} in {scope}"), ""))
        if verdict.ai_role:
            self.page.line("      ", (f"** AI factory: {safe(verdict.ai_role)}", "bold yellow"))
        if told := views.told(verdict):
            self.page.line("      ", (f"++ since the baseline: {safe(told)}", "bold" if verdict.fresh else "dim"))

    def _facts(self, verdict: Verdict) -> None:
        """What is wrong: each failing fact with the offending value marked, or the message where there is none."""
        if not verdict.details:
            self.page.line("    | ", (self.page.safe(verdict.message), ""), hang="    | ")
        for detail in verdict.details:
            self._fact(detail, None if detail.actual is None else self.page.safe(words.shown(detail.actual)))

    def _fact(self, detail: Detail, actual: str | None) -> None:
        """`fact = value` and a line that points at the value; beside each other only where the width allows it."""
        fact, bar = self.page.safe(detail.fact), "    | "
        said = self.page.safe(detail.message)
        if detail.expected is not None:
            said += f" (expected: {self.page.safe(words.shown(detail.expected))})"
        if actual is None:
            self.page.line(bar, (fact, "bold"), (f": {said}", ""), hang=bar)
            return
        self.page.line(bar, (f"{fact} = ", ""), (actual, "bold red"), hang=bar)
        column, size = cell_len(f"{fact} = "), max(cell_len(actual), 1)
        if len(bar) + column + size > self.page.width:
            self.page.line(bar, ("^ ", "bold red"), (said, ""), hang=bar)
        elif len(bar) + column + size + 1 + cell_len(said) > self.page.width:
            self.page.line(bar + " " * column, ("^" * size, "bold red"))
            self.page.line(bar, (said, ""), hang=bar)
        else:
            self.page.line(bar + " " * column, ("^" * size, "bold red"), (f" {said}", ""))

    def _evidence(self, evidence: Iterable[Evidence]) -> None:
        """The facts that decided, each with its origin or its gap."""
        for each in evidence:
            safe = self.page.safe
            said = f"not seen: {each.gap.text}" if each.gap else words.shown(each.value)
            origin = "  (" + " ".join(filter(None, (each.origin.call, each.origin.pointer))) + ")" if each.origin else ""
            self.page.line("    . ", (f"{safe(each.fact)}: {safe(said)}{safe(origin)}", "dim"), hang="      ")

    def _waiver(self, waiver: Waiver) -> None:
        """Who accepts it, until when and why."""
        ticket = f", {waiver.ticket}" if waiver.ticket else ""
        place = f" [{words.place(waiver.where)}]" if waiver.where.file else ""
        said = f"{waiver.reason} ({waiver.owner}, until {waiver.expires}{ticket}){place}"
        self.page.line("    ~ ", ("waived: ", "bold"), (self.page.safe(said), ""))

    def _fix(self, by: str, text: str) -> None:
        """One way to mend it; a fix of several lines keeps its lines."""
        first, *rest = text.rstrip().splitlines() or [""]
        self.page.line("  = ", ("fix: ", "bold green"), (f"{self.page.safe(by)}: {self.page.safe(first)}", ""), hang="         ")
        for row in rest:
            indent = len(row) - len(row.lstrip(" "))
            self.page.line("         " + " " * indent, (self.page.safe(row.strip()), ""))

    def _more(self, count: int, prefix: str) -> None:
        """What a group does not show."""
        if count > 0:
            self.page.line(prefix, (f"and {count} more (see JSON)", "italic"))

    def _blind(self) -> None:
        """What was not seen, how to see it, and which rules it leaves undecided."""
        if not (unknown := self.report.count(Status.UNKNOWN)):
            return
        folded = bool(self.report.baseline) and not self.verbose
        spots = views.blind_spots(self.report, fresh=folded)
        total = words.many(unknown, "verdict") + views.newly_unknown(self.report)
        more = " (-v shows the known ones)" if folded else ""
        self.page.line("", ("UNKNOWN", "bold blue"), (f"  {total}: what was not seen is not a pass{more}", ""), hang="    ")
        self.page.blank()
        for reason in dict.fromkeys(spot.reason for spot in spots):
            mine = [spot for spot in spots if spot.reason is reason]
            shown = mine if self.verbose else mine[:SHOWN]
            for spot in shown:
                self._spot(spot)
            self._more(len(mine) - len(shown), f"{reason.value if reason else 'no reason given'}: ")
        self.page.blank()

    def _spot(self, spot: views.Blind) -> None:
        """One unanswered question."""
        safe = self.page.safe
        reason = spot.reason.value if spot.reason else "no reason given"
        counted = f"  ({words.many(spot.verdicts, 'verdict')} on {words.many(spot.subjects, 'subject')})"
        self.page.line("", (reason, "bold"), (f"  {safe(spot.call)}" if spot.call else "", "bold"), (counted, ""), hang="    ")
        self._listed("in", spot.scopes, "; ")
        self._listed("said", [words.shortened(detail) for detail in spot.details], "; ")
        self._listed("cure", spot.remedies, " ")
        self._listed("blinds", [f"{rule} ({count})" if count > 1 else rule for rule, count in spot.rules], ", ")

    def _listed(self, name: str, items: Sequence[str], separator: str) -> None:
        """A line of several things, cut to the first few."""
        if not items:
            return
        shown = items if self.verbose else items[:SHOWN]
        more = f"{separator}and {len(items) - len(shown)} more (see JSON)" if len(items) > len(shown) else ""
        self.page.line("  = ", (f"{name}: ", "bold"), (separator.join(map(self.page.safe, shown)) + more, ""))

    def _settled(self, status: Status, word: str) -> None:
        """Passes and what is not applicable, a line each."""
        groups = views.of_status(self.report, status)
        if groups:
            total = words.many(self.report.count(status), "verdict")
            self.page.line("", (word.upper(), "bold green" if status is Status.PASS else "bold"), (f"  {total}", ""))
            self.page.blank()
        for group in groups:
            rule = self.rules.get(group.rule)
            self._head(group, self.page.safe(rule.title) if rule else "")
            for verdict in group.verdicts:
                self._subject(verdict)
                if verdict.message:
                    self.page.line("    | ", (self.page.safe(verdict.message), ""), hang="    | ")
                self._evidence(verdict.evidence)
            self.page.blank()

    def _listings(self) -> None:
        """Listings that did not complete."""
        for row in self.report.coverage:
            if row.extent is not Extent.COMPLETE:
                where = "/".join(filter(None, (row.scope, row.region)))
                said = f"{row.native_type} in {where}: {row.extent.value}, {words.many(row.count, 'resource')} seen"
                gap = f"; {row.gap.text}" if row.gap else ""
                self.page.line("", ("listing: ", "bold"), (self.page.safe(said + gap), ""), hang="    ")

    def _notes(self) -> None:
        """Problems on the way, and waivers that do not do what their author thinks."""
        for note in self.report.baseline.notes if self.report.baseline else ():
            self.page.line("", ("baseline: ", "bold yellow"), (self.page.safe(note), ""), hang="    ")
        for problem in self.report.problems:
            self.page.line("", ("problem: ", "bold red"), (self.page.safe(problem), ""), hang="    ")
        for waiver, said in views.troubled_waivers(self.report):
            place = f" [{words.place(waiver.where)}]" if waiver.where.file else ""
            text = f"{views.waiver_name(waiver)} is {said}{place}"
            self.page.line("", ("waiver: ", "bold yellow"), (self.page.safe(text), ""), hang="    ")

    def _coverage(self) -> None:
        """Counts with their denominators."""
        counts = views.summary(self.report)
        waived = f" ({counts['waived']} waived)" if counts["waived"] else ""
        failed = f", {counts['failed_calls']} failed" if counts["failed_calls"] else ""
        self.page.line(
            "",
            (f"{words.many(counts['rules'], 'rule')} {self._times()} {words.many(counts['resources'], 'resource')}: ", ""),
            (f"{counts['fail']} fail{waived}, {counts['unknown']} unknown, {counts['pass']} pass, ", "bold"),
            (f"{counts['not_applicable']} not applicable; ", "bold"),
            (f"listings complete {counts['listings_complete']} of {counts['listings']}; ", ""),
            (f"{words.many(counts['calls'], 'call')}{failed}", ""),
            hang="    ",
        )
        if baseline := self.report.baseline:
            said = f"{views.compared(self.report)} (since {baseline.name}, {baseline.created_at})"
            self.page.line("", (self.page.safe(said), ""), hang="    ")

    def _times(self) -> str:
        """The sign for "times", where it can be written."""
        return TIMES if TIMES.encode(self.page.encoding, "replace") != b"?" else "x"
