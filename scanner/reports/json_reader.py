"""Reads a JSON report back: `bartizan report REPORT.json` renders it again, and a baseline compares with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NoReturn, cast

from scanner import shape
from scanner.model import (
    BartizanError,
    Call,
    Change,
    Comparison,
    Cover,
    Coverage,
    Detail,
    Entry,
    Evidence,
    Extent,
    Gap,
    Origin,
    Outcome,
    Past,
    Reason,
    Report,
    Rule,
    Severity,
    Source,
    State,
    Status,
    Verdict,
    Waiver,
    WaiverState,
    Where,
)
from scanner.reports import views
from scanner.reports.text import visible

SCHEMA_VERSION = "1.0"

Data = dict[str, Any]


def schema() -> Data:
    """The JSON Schema of the format."""
    text = resources.files(__package__).joinpath("report.schema.json").read_text(encoding="utf-8")
    return cast("Data", json.loads(text))


def load(path: Path) -> Report:
    """The report that a file holds; a BartizanError names the file and the place of what is wrong."""
    name = visible(str(path))
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BartizanError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BartizanError(f"{name}: is not UTF-8 text (byte {error.start}), so it is no JSON report") from error
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BartizanError(f"{name}: is not JSON: {visible(str(error))}") from error
    return parse(data, name)


def parse(data: Any, name: str) -> Report:
    """The report that parsed JSON holds; `name` is what messages call it."""
    if not isinstance(data, dict) or "schema_version" not in data:
        raise BartizanError(f"{name}: is no Bartizan report (it has no 'schema_version'); write one with `-o json=PATH`")
    if data["schema_version"] != SCHEMA_VERSION:
        version = visible(str(data["schema_version"])[:20])
        raise BartizanError(f"{name}: is a report of version {version}; this bartizan reads version {SCHEMA_VERSION}")
    try:
        shape.compiled(schema())(data)
    except shape.Fault as fault:
        raise BartizanError(f"{name}: is not a valid report: {visible(fault.pointer) or '/'}: {visible(fault.message)}") from fault
    report = _report(data)
    for key, count in views.summary(report).items():
        if data["summary"][key] != count:
            said = data["summary"][key]
            raise BartizanError(f"{name}: was cut or edited: /summary/{key} says {said}, the report holds {count}")
    if report.exit_code == 0 and (report.problems or not report.rules or not len(report.verdicts)):
        raise BartizanError(f"{name}: was cut or edited: /gate says 0, and nothing was judged, or an input was not read")
    if ("past" in data) != ("baseline" in data):
        raise BartizanError(f"{name}: was cut or edited: it has only one of /baseline and /past")
    return report


def _no_constant(name: str) -> NoReturn:
    """Refuses `NaN` and `Infinity`, which Python would take and JSON does not know."""
    raise ValueError(f"{name} is no JSON")


def _report(data: Data) -> Report:
    """The whole; the shape is known to be right."""
    return Report(
        tool_version=data["tool"]["version"],
        generated_at=data["generated_at"],
        snapshot_digest=data["snapshot"]["digest"],
        policy_digest=data["policies"]["digest"],
        engine=data["tool"]["engine"],
        sources=tuple(Source(**each) for each in data["sources"]),
        rules=tuple(map(_rule, data["rules"])),
        verdicts=tuple(map(_verdict, data["verdicts"])),
        coverage=tuple(map(_coverage, data["coverage"])),
        waivers=tuple(map(_waiver, data["waivers"])),
        params=data["params"],
        resources=data["summary"]["resources"],
        calls=data["summary"]["calls"],
        failed_calls=tuple(map(_call, data["failed_calls"])),
        problems=tuple(data["problems"]),
        exit_code=data["gate"]["exit_code"],
        exit_reason=data["gate"]["reason"],
        baseline=_baseline(data["baseline"], data.get("past", [])) if "baseline" in data else None,
        moved=moves_in(data.get("moved", ())),
    )


def _baseline(data: Data, past: list[Data]) -> Comparison:
    """What was compared with."""
    changed = {
        "sources": tuple(data["sources"]),
        "notes": tuple(data["notes"]),
        "counts": {State(name): count for name, count in data["counts"].items()},
    }
    return Comparison(**{**data, **changed}, past=tuple(map(_past, past)))


def _past(data: Data) -> Past:
    """A finding of the baseline that is none now."""
    entry = {name: value for name, value in data.items() if name not in ("state", "note")}
    return Past(entry_in(entry), State(data["state"]), data["note"])


def entry_in(data: Data) -> Entry:
    """A finding as a baseline keeps it."""
    return Entry(**{**data, "severity": Severity(data["severity"])})


def moves_in(rows: Iterable[Data]) -> dict[str, dict[str, str]]:
    """What plans moved."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        found.setdefault(row["source"], {})[row["was"]] = row["now"]
    return found


def _change(data: Data) -> Change:
    """What became of a verdict since the baseline."""
    return Change(State(data["state"]), data["first_seen"], data["note"])


def _rule(data: Data) -> Rule:
    """A rule."""
    covers = {
        name: Cover(tuple(each["catalog"]), _controls(each["controls"]), each["fix"]) for name, each in data["covers"].items()
    }
    lists = {name: tuple(data[name]) for name in ("scope_on", "fail_on", "references", "tags")}
    changed = {"severity": Severity(data["severity"]), "controls": _controls(data["controls"]), "sets": frozenset(data["sets"])}
    return Rule(**{**data, **lists, **changed, "covers": covers})


def _verdict(data: Data) -> Verdict:
    """A verdict."""
    resource = dict(data["resource"])
    return Verdict(
        rule=data["rule"],
        status=Status(data["status"]),
        severity=Severity(data["severity"]),
        subject=resource.pop("id"),
        message=data["message"],
        details=tuple(Detail(**{**each, "where": _where(each["where"])}) for each in data["details"]),
        gaps=tuple(map(_gap, data["gaps"])),
        evidence=tuple(map(_evidence, data["evidence"])),
        where=_place(data["where"]),
        catalog=tuple(data["catalog"]),
        controls=_controls(data["controls"]),
        fingerprint=data["fingerprint"],
        ai_role=data["ai_role"],
        waiver=_waiver(data["waiver"]) if data["waiver"] else None,
        level=data["level"],
        source=data["source"],
        tag=data.get("tag", ""),
        change=_change(data["change"]) if "change" in data else None,
        **resource,
    )


def _evidence(data: Data) -> Evidence:
    """A fact that decided."""
    origin = Origin(**data["origin"]) if data["origin"] else None
    return Evidence(data["fact"], data["value"], origin, _gap(data["gap"]) if data["gap"] else None)


def _where(data: Data | None) -> Where | None:
    """A place, or none."""
    return _place(data) if data else None


def _place(data: Data) -> Where:
    """A place."""
    lines = data.get("block", {"line": 0, "end_line": 0})
    return Where(**{**data, "block": (lines["line"], lines["end_line"]), "via": tuple(map(_place, data.get("via", ())))})


def _gap(data: Data) -> Gap:
    """A gap."""
    return Gap(Reason(data["reason"]), data["call"], data["remedy"], data["detail"])


def _coverage(data: Data) -> Coverage:
    """A row of coverage."""
    return Coverage(**{**data, "extent": Extent(data["extent"]), "gap": _gap(data["gap"]) if data["gap"] else None})


def _call(data: Data) -> Call:
    """A call."""
    return Call(**{**data, "outcome": Outcome(data["outcome"]), "reason": Reason(data["reason"]) if data["reason"] else None})


def _waiver(data: Data) -> Waiver:
    """A waiver."""
    return Waiver(**{**data, "where": _place(data["where"]), "state": WaiverState(data["state"])})


def _controls(data: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    """Framework → control ids."""
    return {name: tuple(ids) for name, ids in data.items()}
