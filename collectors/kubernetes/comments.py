"""Waivers in the comments of manifests: where they stand, and which lines they are for.

YAML's parser drops comments, so a text is looked at here only where the marker occurs in it at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from collectors.kubernetes.yamldoc import SEPARATOR
from scanner.model import Inline, Where
from scanner.model.inline import MARKER, MOST, behind

OBJECT = ("apiVersion", "kind", "metadata")
"""A comment at one of these keys of an object is for the object."""
BROKEN = "stands in a document that could not be read"
BREAKS = "stands in a file whose lines end in unusual characters, so its line is not known for certain"
RENDERED = "stands in what was rendered, which has no lines: put it into bartizan.yaml, or write an annotation"
NOWHERE = "stands above nothing: put it on the line above what it is for, or behind it"
_BETWEEN = re.compile(r"\s*(?:#.*|-+\s*(?:#.*)?|%.*)?")
"""Lines that may stand between a comment and what it is above: comments and marks, but for empty ones."""
_UNUSUAL = re.compile("\r(?!\n)|[\x85\u2028\u2029]")


def inline(name: str, text: str, objects: Collection[int], source: str) -> Iterator[Inline]:
    """The waivers in the comments of a file; `objects` are the lines at which objects start that are judged."""
    if MARKER not in text:
        return
    cuts = [m.start() for m in SEPARATOR.finditer(text)]
    count, line = 0, 1
    lines = text.split("\n")
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        chunk = text[start:end]
        if MARKER in chunk:
            for found in _Chunk(name, lines, chunk, line, objects).inline(source):
                if count == MOST:
                    yield Inline("", found.where, source, problem=f"is one of more than {MOST} in a file; the rest is not read")
                    return
                count += 1
                yield found
        line += chunk.count("\n")


def rendered(name: str, text: str, source: str) -> Iterator[Inline]:
    """The waivers in what a tool made of a chart: they would have to be for lines, which it has not."""
    if MARKER in text:
        found = (behind(line.partition("#")[2]) for line in text.split("\n") if MARKER in line)
        for said in list(dict.fromkeys(s for s in found if s is not None))[:MOST]:
            yield Inline(said, Where(name), source, problem=RENDERED)


@dataclass(slots=True)
class _Entry:
    """A key with its value, or an item of a list. Lines are those of the file."""

    first: int
    last: int
    parent: int
    """Index of the entry whose value it is part of; -1 for the document."""
    key: str = ""


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not come."""

    entry: int
    mapping: bool
    at_key: bool = True
    now: int = -1
    """The entry whose value comes next."""


@dataclass(slots=True)
class _Read:
    """What is known of a document."""

    entries: list[_Entry] = field(default_factory=list)
    texts: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Line → (first, end) columns of what is the text of a value there, from 0."""
    last: int = 0
    """Last line so far that has a value."""


class _Chunk:
    """One document's text, which begins at `line` of a file."""

    def __init__(self, name: str, lines: list[str], chunk: str, line: int, objects: Collection[int]) -> None:
        self.name = name
        self.lines = lines
        self.chunk = chunk
        self.line = line
        self.end = line + chunk.count("\n")
        self.objects = objects
        self.marked = [line + n for n, text in enumerate(chunk.split("\n")) if MARKER in text]

    def inline(self, source: str) -> Iterator[Inline]:
        read = self._read()
        for line in self.marked:
            at = _comment(self.lines[line - 1], read.texts.get(line, []) if read else [])
            said = behind(self.lines[line - 1][at:]) if at >= 0 else None
            if said is None:
                continue
            place = Where(self.name, line, at + 1)
            if read is None:
                yield Inline(said, place, source, problem=BREAKS if _UNUSUAL.search(self.chunk) else BROKEN)
                continue
            block = self._block(read, line, at)
            where = Where(self.name, line, at + 1, block=block or (0, 0))
            yield Inline(said, where, source, problem="" if block else NOWHERE)

    def _read(self) -> _Read | None:
        """The entries of the document; None where they cannot be told."""
        import yaml  # noqa: PLC0415 - so that `--help` does not pay for it

        if _UNUSUAL.search(self.chunk):
            return None
        found, stack = _Read(last=self.line), list[_Open]()
        loader: Any = None
        try:
            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(self.chunk)
            while (event := loader.get_event()) is not None:
                self._event(found, stack, event, yaml)
        except (yaml.YAMLError, ValueError, RecursionError, OverflowError):
            return None
        finally:
            if loader is not None:
                loader.dispose()
        return found

    def _event(self, found: _Read, stack: list[_Open], event: Any, yaml: Any) -> None:
        if isinstance(event, yaml.CollectionEndEvent):
            if event.end_mark.index > event.start_mark.index:  # NOTE: a bracket; the end of a block is no text
                found.last = max(found.last, self.line + event.end_mark.line)
            _ended(found, stack, stack.pop().entry)
        elif isinstance(event, yaml.NodeEvent):
            entry = self._started(found, stack, event)
            if isinstance(event, yaml.CollectionStartEvent):
                stack.append(_Open(entry, isinstance(event, yaml.MappingStartEvent)))
                return
            self._text(found, event)
            _ended(found, stack, entry)

    def _started(self, found: _Read, stack: list[_Open], event: Any) -> int:
        """The entry that a node belongs to: a new one for the document, a key or an item."""
        line = min(self.line + event.start_mark.line, self.end)
        around = stack[-1] if stack else None
        if around is not None and around.mapping and not around.at_key:
            return around.now
        key = str(getattr(event, "value", "")) if around is not None and around.mapping else ""
        found.entries.append(_Entry(line, line, around.entry if around else -1, key))
        if around is not None:
            around.now = len(found.entries) - 1
        return len(found.entries) - 1

    def _text(self, found: _Read, event: Any) -> None:
        """Remember where a value's text is: a `#` in it begins no comment."""
        if event.end_mark.index == event.start_mark.index:
            return  # NOTE: nothing is written, and its place may be the next line
        (first, start), (last, end) = ((m.line, m.column) for m in (event.start_mark, event.end_mark))
        if last > first and end == 0:
            last, end = last - 1, len(self.chunk)
        found.last = max(found.last, self.line + last)
        folded = getattr(event, "style", None) in ("|", ">")
        for line in self.marked[bisect_left(self.marked, self.line + first) :]:
            row = line - self.line
            if row > last:
                break
            if not (folded and row == first):  # NOTE: a comment may stand behind the sign that begins a text of several lines
                span = (start if row == first else 0, end if row == last else len(self.chunk))
                found.texts.setdefault(line, []).append(span)

    def _block(self, read: _Read, line: int, at: int) -> tuple[int, int] | None:
        """The lines that a comment is for."""
        before = self.lines[line - 1][:at].strip()
        if before and before.strip("-"):
            here = [n for n, e in enumerate(read.entries) if e.first == line]
            around = [n for n, e in enumerate(read.entries) if e.first <= line <= e.last]
            return self._widened(read, here[0] if here else around[-1]) if around else None
        first = min((e.first for e in read.entries if e.first > line), default=0)
        if not first or not all(text.strip() and _BETWEEN.fullmatch(text) for text in self.lines[line : first - 1]):
            return self._next(line)
        return self._widened(read, next(n for n, e in enumerate(read.entries) if e.first == first))

    def _next(self, line: int) -> tuple[int, int] | None:
        """The document behind the mark that follows a comment."""
        end = self.end
        if end <= line or not all(text.strip() and _BETWEEN.fullmatch(text) for text in self.lines[line : end - 1]):
            return None
        if end > len(self.lines) or not self.lines[end - 1].startswith("---"):
            return None
        rest = "\n".join(self.lines[end - 1 :])
        cut = SEPARATOR.search(rest, 3)
        following = _Chunk(self.name, self.lines, rest[: cut.start()] if cut else rest, end, self.objects)
        read = following._read()
        return following._block(read, end, 0) if read and read.entries else None

    def _widened(self, read: _Read, index: int) -> tuple[int, int]:
        """An entry's lines, or those of the object that it only names."""
        entry = read.entries[index]
        above = read.entries[entry.parent] if entry.parent >= 0 else None
        if above is not None and entry.key == "name" and above.key == "metadata" and above.parent >= 0:
            entry, above = above, read.entries[above.parent]
        if above is not None and entry.key in OBJECT and above.first in self.objects:
            entry = above
        return entry.first, entry.last


def _ended(found: _Read, stack: list[_Open], entry: int) -> None:
    """A node is whole: a key, whose value comes next, or a value or item, whose lines are known now."""
    around = stack[-1] if stack else None
    if around is not None and around.mapping and around.at_key:
        around.at_key = False
        return
    if around is not None:
        around.at_key = True
    found.entries[entry].last = max(found.entries[entry].first, found.last)


def _comment(line: str, texts: list[tuple[int, int]]) -> int:
    """Where the comment of a line begins, from 0; -1 for none."""
    at = line.find("#")
    while at >= 0:
        if (at == 0 or line[at - 1].isspace()) and not any(first <= at < end for first, end in texts):
            return at
        at = line.find("#", at + 1)
    return -1
