"""Workflow commands for GitHub Actions: print them in a step, and findings stand beside the lines of a pull request.

GitHub shows ten annotations of a type a step and fifty a job; the most dangerous findings are taken, and what was left out is said.
https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
https://github.com/orgs/community/discussions/26680
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TextIO

from scanner.model import Report, Rule, Severity, Status, Verdict, Waiver
from scanner.reports import sarif_places, views
from scanner.reports import text as words

TYPES = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "notice",
    Severity.INFO: "notice",
}
MOST = 10
"""Annotations of one type that a step may have. Three types stay well below the fifty of a job, so other steps have theirs."""
LONG = 2000
"""Characters of a line of a message."""
WHOLE = 4000
"""UTF-16 units of a message: the runner cuts it at 4,096 and says nothing.
https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs"""


def render(report: Report, out: TextIO, *, root: str = "") -> None:
    """Write the commands, and the counts as the last line; `root` is the working folder's path in the repository."""
    room = _room(report)
    rules = {rule.id: rule for rule in report.rules}
    shown = 0
    for verdict in views.annotated(report):
        kind = TYPES[verdict.severity]
        if room[kind] > 0:
            room[kind] -= 1
            shown += 1
            since = views.told(verdict)
            lines = [
                words.said(verdict),
                *([f"Since the baseline: {since}."] if since else []),
                *_fix(verdict, rules.get(verdict.rule)),
            ]
            out.write(_command(kind, _properties(verdict, root), lines))
        if not any(room.values()):
            break
    if unknown := report.count(Status.UNKNOWN):
        said = f"{words.many(unknown, 'verdict')} of {len(report.verdicts)} are unknown{views.newly_unknown(report)}: what was not seen is not a pass."
        out.write(_command("warning", {"title": "Bartizan: not everything was seen"}, [said, *_cures(report)]))
    if report.problems:
        out.write(_command("warning", {"title": "Bartizan: not everything was read"}, _problems(report)))
    if troubled := views.troubled_waivers(report):
        out.write(_waivers(troubled, root))
    total = sum(_wanted(report).values())
    if total > shown:
        said = f"Only {shown} of {words.many(total, 'finding')} are annotated, the most dangerous of each type: GitHub shows no more. The other reports have all."
        out.write(_command("notice", {"title": "Bartizan: more findings"}, [said]))
    out.write(_counts(report, shown))


def _wanted(report: Report) -> Mapping[Severity, int]:
    """Severity → findings that are to be annotated: new ones alone, where only they count."""
    if report.baseline and report.baseline.new_only:
        return Counter(verdict.severity for verdict in views.annotated(report))
    return report.opens()


def _room(report: Report) -> Counter[str]:
    """Type → annotations that findings may take: a warning each is kept for what is unknown, for what was not read and for waivers, a notice to say that some were left out."""
    wanted: Counter[str] = Counter()
    for severity, count in _wanted(report).items():
        wanted[TYPES[severity]] += count
    most = Counter(dict.fromkeys(TYPES.values(), MOST))
    most["warning"] -= bool(report.count(Status.UNKNOWN)) + bool(report.problems) + bool(views.troubled_waivers(report))
    if any(wanted[kind] > most[kind] for kind in most):
        most["notice"] -= 1
    return Counter({kind: min(wanted[kind], most[kind]) for kind in most})


def _problems(report: Report) -> list[str]:
    """What was not read, the first few."""
    more = [f"and {len(report.problems) - MOST} more; the other reports have all"] if len(report.problems) > MOST else []
    return [*report.problems[:MOST], *more]


def _waivers(troubled: list[tuple[Waiver, str]], root: str) -> str:
    """One annotation for all waivers that do not do what their author thinks, at the first that has a place."""
    where = next((waiver.where for waiver, _ in troubled if waiver.where.file), None)
    found = {"file": sarif_places.file_path(where.file, root)} if where else {}
    if where and where.line:
        found["line"] = str(where.line)
    lines = [
        f"The waiver of {views.waiver_name(waiver)} is {said}{f' [{words.place(waiver.where)}]' if waiver.where.file else ''}"
        for waiver, said in troubled[:MOST]
    ]
    if len(troubled) > MOST:
        lines.append(f"and {len(troubled) - MOST} more; the other reports have all")
    return _command("warning", {**found, "title": "Bartizan: waivers"}, lines)


def _properties(verdict: Verdict, root: str) -> dict[str, str]:
    """Where the annotation stands. What is in no file of the repository stands at the run itself."""
    where = sarif_places.place_of(verdict)
    found = {}
    if where.file:
        found["file"] = sarif_places.file_path(where.file, root)
        if where.line:
            found |= {"line": str(where.line)} | ({"col": str(where.column)} if where.column else {})
            if where.end_line and where.end_column:
                found |= {"endLine": str(where.end_line), "endColumn": str(where.end_column)}
    since = f" {verdict.change.state.value}" if verdict.change else ""
    return {**found, "title": f"{verdict.rule} [{verdict.severity.value}]{since}"}


def _fix(verdict: Verdict, rule: Rule | None) -> list[str]:
    """How to mend it, line by line."""
    filed = bool(sarif_places.place_of(verdict).file)
    return [
        line for by, fix in views.fixes(rule, verdict.native_type, filed=filed)[:1] for line in f"Fix ({by}): {fix}".splitlines()
    ]


def _command(kind: str, properties: dict[str, str], lines: list[str]) -> str:
    """One command: one line of the log, whatever is in it."""
    escaped = {name: _data(words.visible(value)).replace(":", "%3A").replace(",", "%2C") for name, value in properties.items()}
    message = _cut("\n".join(words.visible(words.shortened(line, LONG)) for line in lines))
    return f"::{kind} {','.join(f'{name}={value}' for name, value in escaped.items())}::{_data(message)}\n"


def _cut(message: str) -> str:
    """As much of a message as is shown, and that there is more."""
    units = message.encode("utf-16-le")
    if len(units) <= 2 * WHOLE:
        return message
    return units[: 2 * WHOLE].decode("utf-16-le", "ignore") + "... (the other reports have all)"


def _data(text: str) -> str:
    """Escaped as the runner unescapes it.

    https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _cures(report: Report) -> list[str]:
    """The first cures of what was not seen, each once."""
    cures = dict.fromkeys(cure for spot in views.blind_spots(report) for cure in spot.remedies)
    return [f"Cure: {cure}" for cure in list(cures)[:MOST]]


def _counts(report: Report, shown: int) -> str:
    """The last line, for who reads the log."""
    counts = views.summary(report)
    parts = ", ".join(
        f"{counts[name]} {name.replace('_', ' ')}" for name in ("open", "waived", "unknown", "pass", "not_applicable")
    )
    since = f"since the baseline: {views.compared(report)}; " if report.baseline else ""
    answer = words.visible(report.exit_reason) or ("passed" if report.exit_code == 0 else "failed")
    return f"bartizan: {parts}; {shown} annotated; {since}{answer} (exit {report.exit_code})\n"
