"""What `explain` prints: facts with their origins, gaps with their remedies, verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.over import SnapshotWorld
from scanner.model import JSON, Origin, Resource, Verdict
from scanner.reports.text import visible
from scanner.rules.library import kinds
from scanner.snapshot import Snapshot

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {"fail": "bold red", "unknown": "yellow", "pass": "green", "not_applicable": "dim"}


def show(
    console: Console,
    snapshot: Snapshot,
    found: Sequence[Resource],
    verdicts: Sequence[Verdict],
    settings: Mapping[str, JSON],
    *,
    raw: bool,
) -> None:
    """Print every resource of `found`."""
    world = SnapshotWorld(snapshot, DERIVATIONS, settings)
    for bare in found:
        resource = world.complete(bare, kinds().get(bare.kind, {}).get("properties", ()))
        console.print(Text(visible(resource.id), "bold"))
        place = f"{resource.where.file}:{resource.where.line}" if resource.where.file else ""
        console.print(
            Text(visible("  ".join(filter(None, (resource.kind, resource.native_type, resource.scope, resource.region, place)))))
        )
        if resource.partial:
            console.print(Text("  only parts of it are seen: what they show may fail, and nothing else is said of it", "yellow"))
        for fact in sorted({*resource.facts, *resource.gaps}):
            _fact(console, snapshot, resource, fact)
        if raw:
            _answers(console, snapshot, resource)
        console.print()
        for verdict in sorted((v for v in verdicts if v.subject == resource.id and v.kind == resource.kind), key=lambda v: v.rule):
            line = Text("  ").append(f"{verdict.status.value:<15}", STYLES[verdict.status.value]).append(f"{verdict.rule}  ")
            console.print(line.append(visible(verdict.message)))
        console.print()


def _fact(console: Console, snapshot: Snapshot, resource: Resource, fact: str) -> None:
    gap = resource.gaps.get(fact)
    line = Text(f"  {fact} = ")
    if fact in resource.facts:
        line.append(visible(json.dumps(resource.facts[fact], ensure_ascii=False)), "bold")
    if gap is not None:
        line.append(("  and more, " if fact in resource.facts else "") + "unknown: " + visible(gap.text), "yellow")
    console.print(line)
    origin = resource.origins.get(fact)
    if origin is not None:
        console.print(Text(f"      from {visible(_from(snapshot, origin))}", "dim"))


def _from(snapshot: Snapshot, origin: Origin) -> str:
    call = snapshot.find_call(origin.call) if origin.call else None
    return f"{call.service}:{call.operation} ({call.region}, {call.outcome.value}) {origin.pointer}" if call else origin.pointer


def _answers(console: Console, snapshot: Snapshot, resource: Resource) -> None:
    for identity in dict.fromkeys(o.call for o in resource.origins.values() if o.call):
        call = snapshot.find_call(identity)
        if call is not None and call.digest:
            console.print(Text(f"  answer to {call.service}:{call.operation}, sha256 {call.digest}", "dim"))
            console.print(
                Text(visible(json.dumps(snapshot.answer(call.digest), indent=1, ensure_ascii=False)).replace("\\n", "\n"))
            )
