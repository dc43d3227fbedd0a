"""Fact → its place in the configuration: the attribute or nested block that it is read from, in whichever resource has it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from collectors.project import UNREADABLE, converted, look, paths
from collectors.table import MISSING, Fact, Field, PlanTable
from collectors.terraform.elements import ELEMENTS, Element
from collectors.terraform.masks import split
from collectors.terraform.sources import Anchor, Reached, Sources
from scanner.model import Where

Anchors = Mapping[str, Sequence[Anchor]]
"""Part of a row → the resources, or the block, that it is."""
Candidate = tuple[str, str, Anchor, Reached]
"""Path, its part, what it starts in, and how far it leads."""


def places(
    sources: Sources, table: PlanTable, wanted: Iterable[str], row: Mapping[str, Any], values: Mapping[str, Any], anchors: Anchors
) -> dict[str, Where]:
    """Fact → its place, and `fact[element]` for elements that a rule shows by name. A fact that is not listed stands at its resource."""
    found: dict[str, Where] = {}
    names = paths(table.name)
    for name in wanted:
        fact = table.facts.get(name)
        if fact is None:
            continue
        seen = [
            c  # NOTE: what a resource is called says nothing of how it is set, but where it is the fact itself
            for c in _candidates(sources, paths(fact), anchors)
            if c[0] not in names or _holds(c[0], row, values.get(name))
        ]
        best = _best(fact, seen, row, values.get(name)) if seen else None
        if best is not None:
            found[name] = sources.place(best[2].planned, best[3])
        element = ELEMENTS.get((table.kind, name))
        if element is not None:
            found |= _elements(sources, element, row, seen, anchors)
    return found


def _candidates(sources: Sources, read: Sequence[str], anchors: Anchors) -> Iterable[Candidate]:
    for path in read:
        part, steps = split(path)
        members = anchors.get(part, ())
        rest = steps[1:] if steps[:1] == (None,) else steps
        for anchor in members:
            reached = sources.reach(anchor, rest)
            if reached is not None:
                yield path, part, anchor, reached


def _own(part: str) -> bool:
    return part in ("item", "parent")


def _best(fact: Fact, seen: Sequence[Candidate], row: Mapping[str, Any], value: Any) -> Candidate | None:
    """The one to show: the attribute that has the fact's value or decides it; where several do, the block that holds them all."""
    whole = [c for c in seen if c[3].whole and (c[3].depth or not _own(c[1]))]
    exact = [c for c in whole if c[3].attribute is not None and _holds(c[0], row, value)]
    if exact:
        return exact[0]
    several = isinstance(fact, Field) and len([p for p in paths(fact) if split(p)[0] != "context"]) > 1
    if isinstance(fact, Field) and several and whole:
        # NOTE: of a list of things only a rule knows which one is wrong, so whatever makes it counts
        composite = isinstance(value, list) and any(isinstance(v, dict) for v in value)
        deciding = {c[0] for c in whole} if composite else _deciding(fact, row, value)
        decided = [c for c in whole if c[0] in deciding and not _circumstance(c)]
        if len({(c[3].file, c[3].span) for c in decided}) == 1:
            return decided[0]
        return _around(decided or [c for c in whole if not _own(c[1]) or c[3].depth > 1])
    if len({(c[3].file, c[3].span) for c in whole}) > 1:
        return _around(whole)  # NOTE: several blocks make it, so what holds them all
    rest = (whole, [c for c in seen if c[3].depth or c[3].note], [c for c in seen if not _own(c[1])])
    return next((group[0] for group in rest if group), None)


def _around(found: Sequence[Candidate]) -> Candidate | None:
    """The nested block, or the joined resource, that holds all of them; none where only the resource itself does."""
    blocks = {(c[3].file, c[3].around) for c in found}
    if len(blocks) != 1:
        return None
    path, part, anchor, reached = found[0]
    if _own(part) and reached.depth - (reached.attribute is not None) < 1:
        return None
    return path, part, anchor, dataclasses.replace(reached, span=reached.header, attribute=None)


def _deciding(fact: Field, row: Mapping[str, Any], value: Any) -> set[str]:
    """The paths without which the fact would be another: whether it would have another value, or none at all."""
    read = paths(fact)
    values = [look(p, row) for p in read]
    other: set[str] = set()
    none: set[str] = set()
    unsure: set[str] = set()
    for number, path in enumerate(read):
        if split(path)[0] == "context" or values[number] is None:
            continue
        try:
            without = converted(fact, [None if i == number else v for i, v in enumerate(values)])
        except UNREADABLE:  # it cannot be read without this, which says little of a plain value
            unsure.add(path)
            continue
        if without is MISSING:
            none.add(path)
        elif without != value:
            other.add(path)
    return (other or none) | (unsure if isinstance(value, list) else set())


def _circumstance(candidate: Candidate) -> bool:
    """What the resource is, not how it is set: its protocol, its engine, its type."""
    path, part, _, reached = candidate
    return _own(part) and reached.depth == 1 and path.endswith(("type", "protocol", "engine"))


def _holds(path: str, row: Mapping[str, Any], value: Any) -> bool:
    """What stands at the path is the fact's value, or the only element of it."""
    if value is None or isinstance(value, bool) or value in ("", []):
        return False
    return look(path, row) in (value, [value])


def _elements(
    sources: Sources, element: Element, row: Mapping[str, Any], seen: Sequence[Candidate], anchors: Anchors
) -> dict[str, Where]:
    """Places of single elements, by the words in which rules show them."""
    found: dict[str, Where | None] = {}
    owner = next((a.planned.type for a in (*anchors.get("parent", ()), *anchors.get("item", ()))), "")
    for path, part, anchor, reached in seen:
        for value, one in _valued(sources, path, part, anchor, reached):
            for text in element.words(row["context"], owner, value):
                place = sources.place(anchor.planned, one)
                for name in element.names:
                    key = f"{name}[{text}]"
                    found[key] = place if found.get(key, place) == place else None  # NOTE: two blocks that say the same
    return {key: place for key, place in found.items() if place is not None}


def _valued(
    sources: Sources, path: str, part: str, anchor: Anchor, reached: Reached
) -> Iterator[tuple[Mapping[str, Any], Reached]]:
    """Elements with their blocks: a joined resource is one, and so is each block of the resource's own list."""
    if not _own(part):
        if reached.whole and isinstance(anchor.value, Mapping):
            yield anchor.value, reached
        return
    name = next(iter(split(path)[1]), None)
    listed = anchor.value.get(name) if isinstance(anchor.value, Mapping) else None
    for element in listed if isinstance(listed, list) else ():
        inner = sources.reach(Anchor(anchor.planned, anchor.value, (name, None), element), ())
        if inner is not None and inner.whole and inner.depth and isinstance(element, Mapping):
            yield element, inner
