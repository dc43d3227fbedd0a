"""The baseline file: known findings kept beside the code. One entry a line in a fixed order, so that a change of it reads well in git.

Every line is whole JSON but for its comma, so a merge takes lines from both sides. `bartizan baseline write` makes it.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, TextIO, cast

from scanner import shape
from scanner.baseline import Baseline, day_of, few, of_report
from scanner.gate import ALLOWED
from scanner.matching import LISTING
from scanner.model import BartizanError, Entry, Report, Status, fingerprint
from scanner.moved import Moved
from scanner.reports.json_reader import Data, entry_in, moves_in
from scanner.reports.json_report import dumps, entry_out, moves_out
from scanner.reports.text import visible

VERSION = 1
REMEMBERED = 180
"""Days for which a fixed finding is kept, to know it again when it is reopened."""


def schema() -> Data:
    """The JSON Schema of the file."""
    text = resources.files(__package__).joinpath("baseline.schema.json").read_text(encoding="utf-8")
    return cast("Data", json.loads(text))


def render(baseline: Baseline, tool: str, out: TextIO) -> None:
    """Write the file."""
    head = {"version": VERSION, "tool": tool, "created_at": baseline.created_at, "snapshot": baseline.digest}
    out.write("{\n")
    out.writelines(f"{dumps(name)}: {dumps(value)},\n" for name, value in head.items())
    _many(out, "sources", sorted(baseline.sources))
    _many(out, "rules", sorted(baseline.rules))
    if baseline.moved:
        _many(out, "moved", moves_out(baseline.moved))
    _many(out, "entries", map(entry_out, _sorted(baseline.findings)))
    _many(out, "unknown", map(entry_out, _sorted(baseline.unknowns)), last=True)
    out.write("}\n")


def _many(out: TextIO, name: str, rows: Iterable[Any], *, last: bool = False) -> None:
    """One list, a row a line."""
    lines = ",\n".join(map(dumps, rows))
    out.write(f"{dumps(name)}: [" + (f"\n{lines}\n]" if lines else "]") + ("\n" if last else ",\n"))


def _sorted(entries: Iterable[Entry]) -> list[Entry]:
    """By rule and resource, each once."""
    return sorted(
        set(entries), key=lambda e: (e.rule, e.resource, e.tag, *(str(getattr(e, each.name)) for each in dataclasses.fields(Entry)))
    )


def parse(data: Any, text: str, name: str) -> Baseline:
    """The baseline that a file's JSON (and its text, for the digest) holds. A BartizanError names the place of what is wrong."""
    if data.get("version") != VERSION:
        raise BartizanError(
            f"{name}: is a baseline of version {visible(str(data.get('version'))[:20])}; this bartizan reads {VERSION}."
        )
    try:
        shape.compiled(schema())(data)
    except shape.Fault as fault:
        raise BartizanError(
            f"{name}: is not a valid baseline: {visible(fault.pointer) or '/'}: {visible(fault.message)}. Write it again with `bartizan baseline write`."
        ) from fault
    for place in ("entries", "unknown"):
        for number, each in enumerate(data[place]):
            tag = each.get("tag", "")
            if tag != LISTING and each["fingerprint"] != fingerprint(each["rule"], each["resource"], tag):
                raise BartizanError(
                    f"{name}: was edited: the fingerprint of /{place}/{number} is not that of its rule, resource and tag. "
                    "Remove the entry, or write the file again with `bartizan baseline write`."
                )
    return Baseline(
        name=name,
        kind="file",
        created_at=data["created_at"],
        digest=hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest(),
        policy="",
        sources=frozenset(data["sources"]),
        rules=frozenset(data["rules"]),
        findings=tuple(map(entry_in, data["entries"])),
        unknowns=tuple(map(entry_in, data["unknown"])),
        moved=moves_in(data.get("moved", ())),
    )


def merged(compared: Report, old: Baseline, *, whole: bool) -> Baseline:
    """What to keep of a report that was compared with the old file: its findings, with the first day that is known of each.

    What the report did not judge stays, and what is fixed is remembered for a while. With `whole` the entries of rules that are no
    more are dropped.
    """
    new = of_report(compared, "")
    day = day_of(compared)
    here = {source.id for source in compared.sources}
    findings = [e for e in new.findings if e.rule in new.rules or not whole]
    keys = {(e.source, e.fingerprint) for e in findings}
    earlier, _ = Moved(compared.moved, old.moved).entries(e for e in old.findings if e.fixed)
    findings += [e for e in earlier if (e.source, e.fingerprint) not in keys and _days(e.fixed, day) < REMEMBERED]
    unjudged = [e for e in old.unknowns if (e.rule not in new.rules and not whole) or e.source not in here]
    return dataclasses.replace(
        new,
        sources=new.sources | old.sources,
        rules=new.rules if whole else new.rules | old.rules,
        findings=tuple(findings),
        unknowns=(*new.unknowns, *unjudged),
        moved={**{source: moves for source, moves in old.moved.items() if source not in here}, **new.moved},
    )


def same(one: Baseline, other: Baseline) -> bool:
    """Whether two say the same, whenever they were made."""

    def content(baseline: Baseline) -> tuple[object, ...]:
        return baseline.sources, baseline.rules, _sorted(baseline.findings), _sorted(baseline.unknowns), baseline.moved

    return content(one) == content(other)


def lacking(report: Report, expected: Sequence[str], old: Baseline | None) -> list[str]:
    """Why the report is no whole look at the estate, for who would make a baseline of it."""
    found = []
    evaluated = {rule.id for rule in report.rules}
    if missing := [rule for rule in expected if rule not in evaluated]:
        found.append(f"{len(missing)} of {len(expected)} rules were not evaluated ({few(missing)})")
    if old and (gone := sorted(old.sources - {source.id for source in report.sources})):
        found.append(f"it did not look at {few(gone)}, of which the old file has entries")
    unseen = sum(
        verdict.status is Status.UNKNOWN and not {gap.reason for gap in verdict.gaps} <= ALLOWED for verdict in report.notable()
    )
    if unseen:
        found.append(
            f"{unseen} {'verdict is' if unseen == 1 else 'verdicts are'} unknown for want of a right, of time, or by a fault of ours"
        )
    if report.problems:
        found.append(f"an input could not be read: {report.problems[0]}")
    return found


def _days(first: str, second: str) -> int:
    """Days between two; a day that cannot be read is long ago."""
    try:
        return (datetime.date.fromisoformat(second) - datetime.date.fromisoformat(first)).days
    except ValueError:
        return REMEMBERED
