"""Open findings for GitLab's merge requests: a Code Quality report, a finding a line.

GitLab knows no unknown, so an empty list is no pass: let the exit status decide, and keep a second report. Findings that a baseline
knows are in the list as well, since GitLab compares with the target branch's list itself and would call them resolved. It knows nothing
of moves: until one is applied, what moves has the fingerprint that it had, so that the merge request that moves it shows nothing new.
https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from typing import TextIO

from scanner.model import JSON, Report, Severity, Verdict, Waiver, fingerprint
from scanner.moved import tracked
from scanner.reports import sarif_places, views
from scanner.reports import text as words
from scanner.reports.json_report import dumps_strict

SEVERITIES = {
    Severity.CRITICAL: "blocker",
    Severity.HIGH: "critical",
    Severity.MEDIUM: "major",
    Severity.LOW: "minor",
    Severity.INFO: "info",
}

WAIVER = "bartizan.waiver"
"""Name of the check that a waiver does not pass which accepts nothing, or too much."""


def render(report: Report, out: TextIO, *, root: str = "") -> None:
    """Write the list; `root` is the working folder's path in the repository."""
    out.write("[")
    separator, end = "\n", "]\n"
    known = tracked(report.moved)
    for verdict in report.notable():
        if verdict.open:
            out.write(separator + dumps_strict(_finding(verdict, root, known(verdict))))
            separator, end = ",\n", "\n]\n"
    for waiver, said in views.troubled_waivers(report):
        if waiver.where.file:
            out.write(separator + dumps_strict(_waiver(waiver, said, root)))
            separator, end = ",\n", "\n]\n"
    out.write(end)


def _finding(verdict: Verdict, root: str, known: str) -> JSON:
    """One finding. GitLab takes two of the same fingerprint for one, and ours is one a rule and resource."""
    where = sarif_places.place_of(verdict)
    # NOTE: a path as the repository has it, not a URI; what is in no file has the same pseudo path as in SARIF.
    path = sarif_places.file_path(where.file, root) if where.file else sarif_places.uri(verdict)
    since = views.told(verdict)
    said = f"{words.said(verdict)}{f' [{since}]' if since else ''}"
    return {
        "description": words.ended(words.visible(said)),
        "check_name": verdict.rule,
        "fingerprint": known,
        "severity": SEVERITIES[verdict.severity],
        "location": {"path": path, "lines": {"begin": max(where.line, 1) if where.file else 1}},
    }


def _waiver(waiver: Waiver, said: str, root: str) -> JSON:
    """A waiver that does not do what its author thinks."""
    where = waiver.where
    return {
        "description": words.ended(words.visible(f"The waiver of {views.waiver_name(waiver)} is {said}")),
        "check_name": WAIVER,
        "fingerprint": fingerprint(WAIVER, where.file, f"{waiver.rule}\0{waiver.resource}\0{waiver.state.value}\0{waiver.expires}"),
        "severity": "info",
        "location": {
            "path": sarif_places.file_path(where.file, root),
            "lines": {"begin": max(where.line, 1)},
        },
    }
