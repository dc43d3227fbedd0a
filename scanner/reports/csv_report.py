"""A table for auditors: one row a verdict and control, to filter and to count in a spreadsheet.

RFC 4180 with a byte order mark, without which Excel takes UTF-8 for something else. No cell can be a formula: names and tags are
written by whoever can create a resource. https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import TextIO

from scanner.model import JSON, Past, Report, Rule, Verdict, Waiver
from scanner.reports import sarif_places, views
from scanner.reports import text as words
from scanner.reports.json_report import dumps_strict, plain

COLUMNS = MappingProxyType(
    {
        "snapshot": "SHA-256 of the snapshot that was judged",
        "generated_at": "when it was judged, UTC",
        "status": "fail, unknown, pass, not_applicable",
        "waived": "yes where a waiver accepts the failure, else no",
        "severity": "critical, high, medium, low, info",
        "rule": "rule id",
        "title": "what the rule demands",
        "requirements": "ids of our own catalogue",
        "framework": "framework of the control; empty for a rule without controls",
        "control_id": "the control, as the framework writes it",
        "control": "both, as framework/control_id: no spreadsheet takes 3.10 for 3.1 there",
        "provider": "aws, kubernetes, …",
        "scope": "account, cluster, plan",
        "region": "region of the provider",
        "level": "resource, or scope where a listing failed; waiver for one that accepts nothing or too much (it has no status)",
        "resource_type": "the provider's own name of the type",
        "resource_id": "canonical id; the scope where a listing failed",
        "resource_name": "what a person calls it",
        "ai_role": "part of the AI factory it belongs to",
        "message": "what is wrong, or was not seen",
        "evidence_json": "facts that decided, each with its value (cut where it is long) or its gap, and the call it came from",
        "unknown_reason": "for unknown: why it was not seen",
        "unknown_cure": "for unknown: what to do about it",
        "file": "file of the resource, empty where it is in none",
        "line": "line in it",
        "waiver_reason": "why the failure is accepted",
        "waiver_owner": "by whom",
        "waiver_expires": "until when",
        "waiver_ticket": "where it is tracked",
        "fix": "how to mend it",
        "source": "who looked: id of the source",
        "finding_id": "the same from run to run",
    }
)
SINCE = MappingProxyType(
    {
        "change": "with a baseline: new, worse, reopened, unchanged, newly_unknown, unseen, fixed, unjudged",
        "change_note": "why it is that",
        "first_seen": "day on which the finding was first seen, as far as the baseline knows",
    }
)
"""Columns that are there with a baseline alone. A row without a status is a finding of the baseline that is none now."""
CONTROL = [*COLUMNS].index("framework")

STARTS = "=+-@\uff1d\uff0b\uff0d\uff20"
"""With what a formula begins; the last four are the wide forms."""
FORMULA = re.compile(rf'^(?=\s*[{re.escape(STARTS)}])|(?<=;)(?=[\s"]*[{re.escape(STARTS)}])')
"""Where a spreadsheet would begin to read one: the start of a cell, and after the semicolon, which parts cells in many locales."""
CELL = 32_000
"""Characters of a cell; Excel holds 32,767.
https://support.microsoft.com/en-us/office/excel-specifications-and-limits-1672b34d-7043-467e-8e27-269d656771c3"""

VALUE = 500
"""Characters of a value in the evidence: a security group's hundred rules, repeated for each control, help nobody in a spreadsheet."""


def render(report: Report, out: TextIO) -> None:
    """Write the table."""
    out.write("\ufeff")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    since = bool(report.baseline)
    writer.writerow((*COLUMNS, *SINCE) if since else COLUMNS)
    rules = {rule.id: rule for rule in report.rules}
    for verdict in report.verdicts:
        change = verdict.change
        after = (change.state.value, change.note, change.first_seen) if change else ("", "", "")
        cells = list(map(cell, _cells(report, verdict, rules.get(verdict.rule))))
        cells += map(cell, map(words.visible, after if since else ()))
        for control in _controls(verdict):
            writer.writerow((*cells[:CONTROL], *map(cell, control), *cells[CONTROL:]))
    for waiver, said in views.troubled_waivers(report):
        writer.writerow(map(cell, _waiver(report, waiver, said, (*COLUMNS, *SINCE) if since else COLUMNS)))
    for past in report.baseline.past if report.baseline else ():
        writer.writerow(map(cell, _past(report, past, rules.get(past.entry.rule))))


def _past(report: Report, past: Past, rule: Rule | None) -> Iterator[str]:
    """The cells of a finding of the baseline that is none now."""
    entry = past.entry
    known = {
        "snapshot": report.snapshot_digest,
        "generated_at": report.generated_at,
        "severity": entry.severity.value,
        "rule": entry.rule,
        "title": rule.title if rule else "",
        "region": entry.region,
        "level": "baseline",
        "resource_type": entry.type,
        "resource_id": entry.resource,
        "source": entry.source,
        "finding_id": entry.fingerprint,
        "change": past.state.value,
        "change_note": past.note,
        "first_seen": entry.first_seen,
    }
    return (words.visible(known.get(name, "")) for name in (*COLUMNS, *SINCE))


def _waiver(report: Report, waiver: Waiver, said: str, columns: Iterable[str]) -> Iterator[str]:
    """The cells of a waiver that does not do what its author thinks."""
    known = {
        "snapshot": report.snapshot_digest,
        "generated_at": report.generated_at,
        "rule": waiver.rule,
        "level": "waiver",
        "resource_id": waiver.resource,
        "message": f"the waiver is {said}",
        "file": waiver.where.file,
        "line": str(waiver.where.line or ""),
        "waiver_reason": waiver.reason,
        "waiver_owner": waiver.owner,
        "waiver_expires": waiver.expires,
        "waiver_ticket": waiver.ticket,
    }
    return (words.visible(known.get(name, "")) for name in columns)


def cell(text: str) -> str:
    """A text that a spreadsheet shows as it is: an apostrophe before whatever it would compute."""
    if text and (";" in text or text.lstrip()[:1] in STARTS):
        text = FORMULA.sub("'", text)
    return words.shortened(text, CELL)


def _controls(verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    """(framework, control, both) of a verdict; one empty one where there is none, since no verdict may be missing."""
    found = [(name, each) for name in sorted(verdict.controls) for each in verdict.controls[name]]
    yield from ((words.visible(name), words.visible(each), words.visible(f"{name}/{each}")) for name, each in found)
    if not found:
        yield "", "", ""


def _cells(report: Report, verdict: Verdict, rule: Rule | None) -> Iterator[str]:
    """The cells of a verdict but for those of its control."""
    where, waiver = sarif_places.place_of(verdict), verdict.waiver
    fixes = views.fixes(rule, verdict.native_type, filed=bool(where.file)) if verdict.open else []
    before = (
        report.snapshot_digest,
        report.generated_at,
        verdict.status.value,
        "yes" if waiver else "no",
        verdict.severity.value,
        verdict.rule,
        rule.title if rule else "",
        " ".join(verdict.catalog),
        verdict.provider,
        verdict.scope,
        verdict.region,
        verdict.level,
        verdict.native_type,
        verdict.subject,
        verdict.name,
        verdict.ai_role,
        words.specifics(verdict) if verdict.details else verdict.message,
    )
    yield from map(words.visible, before)
    yield _evidence(verdict)
    after = (
        " ".join(dict.fromkeys(gap.reason.value for gap in verdict.gaps)),
        " ".join(dict.fromkeys(gap.remedy for gap in verdict.gaps if gap.remedy)),
        where.file,
        str(where.line) if where.file and where.line else "",
        *((waiver.reason, waiver.owner, waiver.expires, waiver.ticket) if waiver else ("", "", "", "")),
        "; ".join(f"{by}: {' '.join(fix.split())}" for by, fix in fixes[:1]),
        verdict.source,
        verdict.fingerprint,
    )
    yield from map(words.visible, after)


def _evidence(verdict: Verdict) -> str:
    """The facts that decided, as JSON; empty where there are none."""
    facts = []
    for each in verdict.evidence:
        seen = {"gap": each.gap.reason.value} if each.gap else _value(each.value)
        origin = {"call": each.origin.call, "pointer": each.origin.pointer} if each.origin else {}
        facts.append({"fact": each.fact, **seen, **origin})
    text = dumps_strict(facts) if facts else ""
    return text if len(text) < CELL else dumps_strict({"cut": f"{len(text)} characters; the JSON report has them"})


def _value(value: JSON) -> dict[str, JSON]:
    """A value, or the beginning of its JSON."""
    text = dumps_strict(plain(value))
    return {"value": plain(value)} if len(text) <= VALUE else {"cut": words.shortened(text)}
