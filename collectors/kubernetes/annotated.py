"""Waivers in annotations: `bartizan.io/waive.<rule>: until=2027-01-31 reason="…" owner=…`, for the object that they stand on.

They are for what has no comments: objects of a live cluster, and what a tool renders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kubernetes.names import metadata
from scanner.model import Inline, Where
from scanner.model.inline import LONG

PREFIX = "bartizan.io/waive."
Marks = Mapping[int, Mapping[str, tuple[int, int]]]


def inline(item: Mapping[str, Any], identity: str, where: Where, source: str, marks: Marks) -> Iterator[Inline]:
    """The waivers on an object at `where`: for what has its id and, where that has a line, starts there."""
    notes = metadata(item).get("annotations")
    if not isinstance(notes, dict):
        return
    for name, value in notes.items():
        if isinstance(name, str) and name.startswith(PREFIX):
            text = f"{name.removeprefix(PREFIX)} {value}"[: LONG + 1]
            line, column = marks.get(id(notes), {}).get(name, (0, 0))
            if line and where.line:
                yield Inline(text, Where(where.file, line, column, block=(where.line, where.line)), source, identity)
            else:
                yield Inline(text, Where(where.file, locator=where.locator), source, identity)
