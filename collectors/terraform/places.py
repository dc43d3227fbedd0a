"""Fact → its place in the configuration: the attribute or nested block that it is read from, in whichever resource has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from collectors.project import look, paths
from collectors.table import Fact
from collectors.terraform.elements import ELEMENTS, Element
from collectors.terraform.masks import split
from collectors.terraform.sources import Anchor, Reached, Sources
from scanner.model import Where

Anchors = Mapping[str, Sequence[Anchor]]
"""Part of a row → the resources, or the block, that it is."""
Candidate = tuple[str, str, Anchor, Reached]
"""Path, its part, what it starts in, and how far it leads."""


def places(
    sources: Sources, kind: str, facts: Mapping[str, Fact], wanted: Iterable[str], row: Mapping[str, Any], values: Mapping[str, Any],
    anchors: Anchors,
) -> dict[str, Where]:  # fmt: skip
    """Fact → its place, and `fact[element]` for elements that a rule shows by name. A fact that is not listed stands at its resource."""
    found: dict[str, Where] = {}
    for name in wanted:
        fact = facts.get(name)
        if fact is None:
            continue
        seen = list(_candidates(sources, paths(fact), anchors))
        best = _best(seen, row, values.get(name)) if seen else None
        if best is not None:
            found[name] = best if isinstance(best, Where) else sources.place(best[2].planned, best[3])
        element = ELEMENTS.get((kind, name))
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


def _best(seen: Sequence[Candidate], row: Mapping[str, Any], value: Any) -> Candidate | Where | None:
    """The one to show: what is written whole, and has the fact's value; else what is nearest to it."""
    whole = [c for c in seen if c[3].whole and (c[3].depth or not _own(c[1]))]
    exact = [c for c in whole if c[3].attribute is not None and _holds(c[0], row, value)]
    for group in (exact, whole, [c for c in seen if c[3].depth or c[3].note], [c for c in seen if not _own(c[1])]):
        first = next(iter(group), None)
        if first is None:
            continue
        blocks = {(c[3].file, c[3].span) for c in group if "[]" in first[0] and "[]" in c[0]}
        if len(blocks) > 1 and isinstance(value, list) and group is not exact:
            return None  # NOTE: several blocks make the list, so the resource's own block is what holds them all
        return first
    return None


def _holds(path: str, row: Mapping[str, Any], value: Any) -> bool:
    """What stands at the path is the fact's value, or an element of the list that it is."""
    if value is None or isinstance(value, bool):
        return look(path, row) is value and value is not None
    found = look(path, row)
    return found in (value, [value])


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
