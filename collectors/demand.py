"""From wanted facts to the calls they take: a scan of three rules makes three rules' calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from collectors.project import part_of, paths
from collectors.table import Batch, Call, Side, Table

Demand = Mapping[str, frozenset[str]] | None
"""Native type → facts wanted of it; None for everything there is."""


def parts_for(table: Table, wanted: Iterable[str]) -> tuple[str, ...]:
    """The detail parts that facts (and the resource's own identity) need, in the table's order."""
    needed = {part_of(p) for name in wanted if name in table.facts for p in paths(table.facts[name])}
    for own in (table.id, table.name, table.region, table.tags):
        if own is not None:
            needed |= {part_of(p) for p in paths(own)}
    todo = [p for p in needed if p in table.detail]
    while todo:
        for part in _before(table, todo.pop()):
            if part in table.detail and part not in needed:
                needed.add(part)
                todo.append(part)
    return tuple(p for p in table.detail if p in needed)


def _before(table: Table, part: str) -> set[str]:
    """Parts that a part's own call reads."""
    detail = table.detail[part]
    if not isinstance(detail, Call):
        return {part_of(detail.on)}
    found = {part_of(p) for p in (*detail.args.values(), detail.region) if p}
    if detail.when is not None:
        earlier = list(table.detail)[: list(table.detail).index(part)]
        found |= set(detail.needs) or {p for p in earlier if isinstance(table.detail[p], Call)}
    return found


def calls_of(table: Table, wanted: Iterable[str]) -> Iterator[Call]:
    """Every question that the wanted facts of a table take, and those that make a service prepare an answer."""
    found = [table.list, *([table.each] if table.each is not None else [])]
    for part in parts_for(table, wanted):
        detail = table.detail[part]
        found.append(detail.call if isinstance(detail, Batch | Side) else detail)
    for call in found:
        yield call
        yield from filter(None, call.retry.values())
