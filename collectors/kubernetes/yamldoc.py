"""YAML and JSON text as plain documents with the place of every key: bounded, and never more than a `Fault` goes wrong.

Documents are built from the parser's events, not from its composer: so depth, aliases and duplicate keys are seen as they come.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scanner.model import frozen

MAX_NODES = 5_000_000
"""Nodes of one document with its aliases written out."""
LARGE = 4 * 1024 * 1024
"""Characters from which JSON is read without the places of its keys."""
HELM = re.compile(
    r"\{\{-?\s*(?:/\*|[#$]?\(?\s*(?:\.(?:Values|Release|Chart|Capabilities|Files|Template)\b|include\b|template\b|define\b|tpl\b|toYaml\b))"
)
TEMPLATED = re.compile(
    r"\{\{-?\s*(?:/\*|[.$(]|(?:if|else|end|with|range|block|define|template|include|tpl|quote|default|toYaml)\b)"
)
"""What makes a broken document a template: looser than HELM, which is looked for in sound ones."""
UNRENDERED = "this is a Helm template; render it first (`helm template`) and scan what comes out"
SEPARATOR = re.compile(r"^---(?=\s|$)", re.MULTILINE)


@frozen
class Bounds:
    """How much of a document is read."""

    depth: int = 100
    nodes: int = MAX_NODES


@frozen
class Fault:
    """What is wrong with a document, and where."""

    line: int
    what: str


@dataclass(slots=True)
class Document:
    """One document."""

    value: Any
    line: int
    column: int
    marks: dict[int, dict[str, tuple[int, int]]] = field(default_factory=dict)
    """id of a mapping → key → (line, column) of the key, 1-based. It lives as long as `value`."""
    starts: dict[int, tuple[int, int]] = field(default_factory=dict)
    """id of a mapping → where it starts."""
    faults: list[Fault] = field(default_factory=list)
    """Duplicate keys: the document could still be read."""


class _Broken(Exception):  # noqa: N818 - not an error of the program
    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


def documents(text: str, bounds: Bounds) -> Iterator[Document | Fault]:
    """The documents of a text. A broken one is a fault, and the next one is read all the same.

    `---` at the start of a line begins a document wherever it stands (https://yaml.org/spec/1.2.2/#document-markers), so a text is cut there.
    """
    cuts = [m.start() for m in SEPARATOR.finditer(text)]
    line = 1
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        chunk = text[start:end]
        if not _only_directives(chunk):
            yield from _chunk(chunk, line, bounds)
        line += chunk.count("\n")


def _only_directives(chunk: str) -> bool:
    return all(not part.strip() or part.lstrip()[0] in "%#" for part in chunk.split("\n"))


def _chunk(chunk: str, line: int, bounds: Bounds) -> Iterator[Document | Fault]:
    plain = _as_json(chunk, line, bounds) if len(chunk) > LARGE else None
    if plain is not None:
        yield plain
        return
    try:
        yield from _Builder(chunk, line - 1, bounds).documents()
    except _Broken as broken:
        found = _as_json(chunk, line, bounds)
        yield found or Fault(
            min(broken.line, line + chunk.rstrip("\n").count("\n")), UNRENDERED if TEMPLATED.search(chunk) else broken.what
        )


def _as_json(chunk: str, line: int, bounds: Bounds) -> Document | None:
    """JSON: faster than as YAML, and also where it is none (tabs); without places."""
    if chunk.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(chunk, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return Document(value, line, 1) if _depth(value, bounds.depth) else None


def _depth(value: Any, left: int) -> bool:
    """Whether a value is nested no deeper than `left`."""
    if not isinstance(value, dict | list):
        return True
    return left > 0 and all(_depth(v, left - 1) for v in (value.values() if isinstance(value, dict) else value))


@dataclass(slots=True)
class _Open:
    """A collection that is being built."""

    value: Any
    line: int
    column: int
    anchor: str | None
    key: Any = None
    has_key: bool = False
    merges: list[Any] = field(default_factory=list)
    size: int = 1
    height: int = 1
    marks: dict[str, tuple[int, int]] = field(default_factory=dict)


@frozen
class _Done:
    value: Any
    size: int
    height: int


class _Builder:
    def __init__(self, text: str, offset: int, bounds: Bounds) -> None:
        import yaml  # noqa: PLC0415 - so that `--help` does not pay for it

        self.yaml = yaml
        self.text = text
        self.offset = offset
        self.bounds = bounds
        self.stack: list[_Open] = []
        self.anchors: dict[str, _Done] = {}
        self.pending: set[str] = set()
        self.document = Document(None, offset + 1, 1)

    def documents(self) -> Iterator[Document]:
        """Documents until the text ends. Raises _Broken."""
        try:
            # libyaml's parser where PyYAML has it
            loader: Any = getattr(self.yaml, "CSafeLoader", self.yaml.SafeLoader)(self.text)
        except self.yaml.YAMLError as error:
            raise self._fault(error) from None
        try:
            while True:
                try:
                    event = loader.get_event()
                except self.yaml.YAMLError as error:
                    raise self._fault(error) from None
                except (ValueError, RecursionError, OverflowError) as error:
                    raise _Broken(self.offset + 1, f"not YAML: {type(error).__name__}") from None
                if event is None or isinstance(event, self.yaml.StreamEndEvent):
                    return
                if isinstance(event, self.yaml.DocumentStartEvent):
                    self.anchors, self.pending = {}, set()
                    self.document = Document(None, self.offset + 1, 1)
                elif isinstance(event, self.yaml.DocumentEndEvent):
                    yield self.document
                else:
                    self._event(event, loader)
        finally:
            loader.dispose()

    def _fault(self, error: Exception) -> _Broken:
        mark = getattr(error, "problem_mark", None)
        what = (
            " ".join(str(p) for p in (getattr(error, "context", None), getattr(error, "problem", None)) if p)
            or str(error).split("\n")[0]
        )
        return _Broken(self.offset + (mark.line if mark else 0) + 1, f"not YAML: {what[:200]}")

    def _event(self, event: Any, loader: Any) -> None:
        line, column = self.offset + event.start_mark.line + 1, event.start_mark.column + 1
        if isinstance(event, self.yaml.ScalarEvent):
            self._put(
                _Done(self._scalar(event, loader, line), 1, 1),
                event.anchor,
                line,
                column,
                merge=event.implicit[0] and event.value == "<<",
            )
        elif isinstance(event, self.yaml.AliasEvent):
            done = self.anchors.get(str(event.anchor))
            if done is None:
                what = "contains itself" if event.anchor in self.pending else "is not defined"
                raise _Broken(line, f"not YAML: the alias *{event.anchor} {what}")
            self._put(done, None, line, column)
        elif isinstance(event, self.yaml.MappingStartEvent | self.yaml.SequenceStartEvent):
            if len(self.stack) >= self.bounds.depth:
                raise _Broken(line, f"nested deeper than {self.bounds.depth} levels")
            if event.tag not in (None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
                raise _Broken(line, f"the tag {event.tag} is not known")
            value: Any = {} if isinstance(event, self.yaml.MappingStartEvent) else []
            if event.anchor:
                self.pending.add(event.anchor)
            self.stack.append(_Open(value, line, column, event.anchor))
        elif isinstance(event, self.yaml.CollectionEndEvent):
            self._close()

    def _close(self) -> None:
        node = self.stack.pop()
        if isinstance(node.value, dict):
            for source in node.merges:
                for key, value in source.items():
                    node.value.setdefault(key, value)
            self.document.marks[id(node.value)] = node.marks
            self.document.starts[id(node.value)] = (node.line, node.column)
        self._put(_Done(node.value, node.size, node.height), node.anchor, node.line, node.column)

    def _put(self, done: _Done, anchor: str | None, line: int, column: int, *, merge: bool = False) -> None:
        """A finished value, to where it belongs."""
        if anchor:
            self.anchors[anchor] = done
            self.pending.discard(anchor)
        if not self.stack:
            self.document.value = done.value
            self.document.line, self.document.column = line, column
            return
        parent = self.stack[-1]
        parent.size += done.size
        parent.height = max(parent.height, done.height + 1)
        if parent.size > self.bounds.nodes:
            raise _Broken(line, f"more than {self.bounds.nodes} values once its aliases are written out")
        if parent.height + len(self.stack) - 1 > self.bounds.depth + 1:
            raise _Broken(line, f"nested deeper than {self.bounds.depth} levels")
        if isinstance(parent.value, list):
            parent.value.append(done.value)
        elif not parent.has_key:
            self._key(parent, "<<merge>>" if merge else done.value, line, column, merge=merge)
        else:
            self._entry(parent, done.value, line)

    def _key(self, parent: _Open, key: Any, line: int, column: int, *, merge: bool) -> None:
        if isinstance(key, dict | list):
            raise _Broken(line, "not YAML for Kubernetes: a key that is a mapping or a list")
        parent.key = _MERGE if merge else _key_text(key)
        parent.has_key = True
        if not merge:
            if parent.key in parent.value:
                self.document.faults.append(Fault(line, f"the key {parent.key!r} stands twice; the last one counts"))
            parent.marks[parent.key] = (line, column)

    @staticmethod
    def _entry(parent: _Open, value: Any, line: int) -> None:
        parent.has_key = False
        if parent.key is not _MERGE:
            parent.value[parent.key] = value
            return
        sources = value if isinstance(value, list) else [value]
        if not all(isinstance(s, dict) for s in sources):
            raise _Broken(line, "not YAML: << takes mappings")
        parent.merges += sources

    def _scalar(self, event: Any, loader: Any, line: int) -> Any:
        """The value of a scalar as the API server's decoder reads it: JSON types only."""
        tag = event.tag
        if tag is None and event.style in ("'", '"', "|", ">"):
            return event.value
        if tag is None or tag == "!":
            tag = loader.resolve(self.yaml.ScalarNode, event.value, event.implicit)
        text = event.value
        if tag == "tag:yaml.org,2002:null":
            return None
        if tag == "tag:yaml.org,2002:bool":
            return text.lower() in ("yes", "true", "on", "y")
        if tag == "tag:yaml.org,2002:int" and ":" not in text:
            return _integer(text)
        if tag == "tag:yaml.org,2002:float" and ":" not in text:
            return _real(text)
        if not tag.startswith("tag:yaml.org,2002:"):
            raise _Broken(line, f"the tag {tag} is not known")
        return text


_MERGE = object()


def _key_text(key: Any) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    return "null" if key is None else str(key)


def _integer(text: str) -> Any:
    digits = text.replace("_", "")
    sign = -1 if digits.startswith("-") else 1
    digits = digits.lstrip("+-")
    if len(digits) > 30:  # noqa: PLR2004 - longer than any integer of the API; Python bounds the conversion itself
        return text
    try:
        if digits.startswith("0") and digits.isdigit() and len(digits) > 1:
            return sign * int(digits, 8)
        return sign * int(digits, 0)
    except ValueError:
        return text


def _real(text: str) -> Any:
    try:
        found = float(text.replace("_", "").lstrip("+"))
    except ValueError:
        return text
    return found if found - found == 0 else text  # NOTE: infinity and NaN are no JSON
