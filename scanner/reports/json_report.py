r"""The whole report as JSON, in the shape of `report.schema.json`: the format to keep, to compare, and to render again.

It is written as it comes, one verdict a line, in a fixed order of keys: equal reports give equal bytes. Characters that a
terminal would obey, and those that UTF-8 cannot hold, are written as `\u` escapes. `json_reader.py` reads it back.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TextIO

import msgspec

from scanner.model import (
    JSON,
    Call,
    Change,
    Comparison,
    Coverage,
    Entry,
    Past,
    Report,
    Rule,
    Source,
    State,
    Verdict,
    Waiver,
    Where,
)
from scanner.reports import views
from scanner.reports.json_reader import SCHEMA_VERSION, load, schema

__all__ = ["SCHEMA_VERSION", "dumps", "load", "plain", "render", "schema"]

ESCAPED = re.compile(r"[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]")
"""What `json.dumps` writes as it stands, but a screen would not show or UTF-8 cannot encode."""

ENCODER = msgspec.json.Encoder()
HALVES = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=dataclasses.asdict)
"""The same, ten times slower, of texts that hold half a surrogate pair."""


ORDER = re.compile(r"##(?=(?:vso|teamcity)?\[)")


def dumps(value: JSON) -> str:
    """One line of JSON in real characters, safe to show; every text comes back as it was."""
    return _dumps(value, "")


def dumps_strict(value: JSON) -> str:
    """The same for readers that refuse half a surrogate pair (RFC 8259, 8.2): it comes back as the text of its escape."""
    return _dumps(value, "\\")


def _dumps(value: JSON, before_half: str) -> str:
    """JSON, with what `ESCAPED` finds written as escapes."""

    def escape(found: re.Match[str]) -> str:
        """UTF-16 code units, as JSON has them."""
        units = found[0].encode("utf-16-be", "surrogatepass").hex()
        half = len(units) == 4 and units.startswith(("d8", "d9", "da", "db", "dc", "dd", "de", "df"))  # noqa: PLR2004 - one unit
        return (before_half if half else "") + "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))

    try:
        text = ENCODER.encode(value).decode()
    except UnicodeEncodeError:
        text = HALVES.encode(value)
    if "##" in text:  # an order to the agent of a build service, wherever it stands in a log: `##vso[…]`
        text = ORDER.sub(r"#\\u0023", text)
    return text if text.isascii() and "\x7f" not in text else ESCAPED.sub(escape, text)


def plain(value: Any) -> JSON:
    """A fact as strict JSON: keys sorted, and the numbers that JSON has not (a YAML file may say `.nan`) as text."""
    if isinstance(value, (str, int, bool)) or value is None:
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def render(report: Report, out: TextIO) -> None:
    """Write the report."""
    head = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "bartizan", "version": report.tool_version, "engine": report.engine},
        "generated_at": report.generated_at,
        "snapshot": {"digest": report.snapshot_digest},
        "policies": {"digest": report.policy_digest},
        "gate": {"exit_code": report.exit_code, "reason": report.exit_reason},
        "summary": views.summary(report),
    }
    out.write("{\n")
    out.writelines(f"{dumps(name)}: {dumps(value)},\n" for name, value in head.items())
    if report.baseline:
        out.write(f'"baseline": {dumps(_baseline(report.baseline))},\n')
        _many(out, "past", map(_past, report.baseline.past))
    _many(out, "sources", map(_source, report.sources))
    _many(out, "rules", map(_rule, report.rules))
    out.write(f'"params": {dumps(plain(report.params))},\n')
    _many(out, "coverage", map(_coverage, report.coverage))
    if report.moved:
        _many(out, "moved", moves_out(report.moved))
    _many(out, "waivers", map(_waiver, report.waivers))
    _many(out, "failed_calls", map(_call, report.failed_calls))
    _many(out, "problems", report.problems)
    _many(out, "verdicts", map(_verdict, report.verdicts), last=True)
    out.write("}\n")


def _many(out: TextIO, name: str, rows: Iterable[JSON], *, last: bool = False) -> None:
    """One list, a row a line."""
    out.write(f"{dumps(name)}: [")
    separator, end = "\n", "]"
    for row in rows:
        out.write(separator + dumps(row))
        separator, end = ",\n", "\n]"
    out.write(end + ("\n" if last else ",\n"))


def _source(source: Source) -> JSON:
    """Who looked."""
    return {
        "id": source.id,
        "mode": source.mode,
        "provider": source.provider,
        "scope": source.scope,
        "identity": source.identity,
        "collected_at": source.collected_at,
        "tool": source.tool,
    }


def _rule(rule: Rule) -> JSON:
    """A rule that was evaluated, with its text."""
    covers = {
        name: {"catalog": list(cover.catalog), "controls": _controls(cover.controls), "fix": dict(sorted(cover.fix.items()))}
        for name, cover in sorted(rule.covers.items())
    }
    return {
        "id": rule.id,
        "title": rule.title,
        "description": rule.description,
        "severity": rule.severity.value,
        "kind": rule.kind,
        "scope_on": list(rule.scope_on),
        "fail_on": list(rule.fail_on),
        "covers": covers,
        "controls": _controls(rule.controls),
        "params": plain(rule.params),
        "references": list(rule.references),
        "tags": list(rule.tags),
        "sets": sorted(rule.sets),
        "file": rule.file,
        "source": rule.source,
    }


def _coverage(row: Coverage) -> JSON:
    """How much of one listing was seen."""
    return {
        "native_type": row.native_type,
        "kind": row.kind,
        "scope": row.scope,
        "region": row.region,
        "extent": row.extent.value,
        "count": row.count,
        "gap": row.gap,
        "source": row.source,
    }


def _call(call: Call) -> JSON:
    """A question that was not answered."""
    return {
        "id": call.id,
        "service": call.service,
        "operation": call.operation,
        "scope": call.scope,
        "region": call.region,
        "outcome": call.outcome.value,
        "reason": call.reason.value if call.reason else None,
        "detail": call.detail,
        "ms": plain(call.ms),
        "retries": call.retries,
        "digest": call.digest,
    }


def _waiver(waiver: Waiver) -> JSON:
    """An accepted risk."""
    return {
        "rule": waiver.rule,
        "resource": waiver.resource,
        "reason": waiver.reason,
        "owner": waiver.owner,
        "expires": waiver.expires,
        "ticket": waiver.ticket,
        "where": _where(waiver.where),
        "state": waiver.state.value,
        "matches": waiver.matches,
        "problem": waiver.problem,
        "inline": waiver.inline,
        **({"moved": waiver.moved} if waiver.moved else {}),
    }


def _verdict(verdict: Verdict) -> JSON:
    """What one rule says about one subject."""
    return {
        "rule": verdict.rule,
        "status": verdict.status.value,
        "severity": verdict.severity.value,
        "level": verdict.level,
        "resource": {
            "id": verdict.subject,
            "name": verdict.name,
            "kind": verdict.kind,
            "native_type": verdict.native_type,
            "provider": verdict.provider,
            "scope": verdict.scope,
            "region": verdict.region,
        },
        "where": _where(verdict.where),
        "message": verdict.message,
        "details": [
            {
                "fact": detail.fact,
                "message": detail.message,
                "expected": plain(detail.expected),
                "actual": plain(detail.actual),
                "where": _where(detail.where) if detail.where else None,
            }
            for detail in verdict.details
        ],
        "gaps": verdict.gaps,
        "evidence": [
            each if isinstance(each.value, (str, int)) or each.value is None else dataclasses.replace(each, value=plain(each.value))
            for each in verdict.evidence
        ],
        "catalog": list(verdict.catalog),
        "controls": _controls(verdict.controls),
        "fingerprint": verdict.fingerprint,
        "ai_role": verdict.ai_role,
        "waiver": _waiver(verdict.waiver) if verdict.waiver else None,
        "source": verdict.source,
        **({"tag": verdict.tag} if verdict.tag else {}),
        **({"change": _change(verdict.change)} if verdict.change else {}),
    }


def _change(change: Change) -> JSON:
    """What became of a verdict since the baseline."""
    return {"state": change.state.value, "first_seen": change.first_seen, "note": change.note}


def _baseline(baseline: Comparison) -> JSON:
    """What was compared with."""
    return {
        "name": baseline.name,
        "kind": baseline.kind,
        "created_at": baseline.created_at,
        "digest": baseline.digest,
        "policy": baseline.policy,
        "sources": list(baseline.sources),
        "new_only": baseline.new_only,
        "counts": {state.value: baseline.counts.get(state, 0) for state in State},
        "notes": list(baseline.notes),
    }


def _past(past: Past) -> JSON:
    """A finding of the baseline that is none now."""
    return {"state": past.state.value, "note": past.note, **entry_out(past.entry)}


def entry_out(entry: Entry) -> dict[str, JSON]:
    """A finding as a baseline keeps it; what is empty is left out."""
    found = {
        "rule": entry.rule,
        "resource": entry.resource,
        "severity": entry.severity.value,
        "first_seen": entry.first_seen,
        "fingerprint": entry.fingerprint,
    }
    optional = ("type", "source", "region", "name", "tag", "waived", "fixed")
    return {**found, **{name: getattr(entry, name) for name in optional if getattr(entry, name)}}


def moves_out(moves: Mapping[str, Mapping[str, str]]) -> Iterator[JSON]:
    """What plans move, a row each."""
    for source in sorted(moves):
        yield from ({"source": source, "was": was, "now": now} for was, now in sorted(moves[source].items()))


def _where(where: Where) -> JSON:
    """A place in a file, or a locator; what only places in source text have stands there alone."""
    found: dict[str, JSON] = {"file": where.file, "line": where.line, "column": where.column, "locator": where.locator}
    if where.end_line or where.end_column:
        found |= {"end_line": where.end_line, "end_column": where.end_column}
    if where.block != (0, 0):
        found["block"] = dict(zip(("line", "end_line"), where.block, strict=True))
    if where.via:
        found["via"] = [_where(each) for each in where.via]
    return found | ({"note": where.note} if where.note else {})


def _controls(controls: Mapping[str, Iterable[str]]) -> dict[str, JSON]:
    """Framework → control ids."""
    return {name: list(ids) for name, ids in sorted(controls.items())}
