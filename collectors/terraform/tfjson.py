"""Terraform's configuration as JSON (`.tf.json`): the same blocks, of mappings whose keys have their places.

https://developer.hashicorp.com/terraform/language/syntax/json
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kubernetes.yamldoc import Bounds, Document, documents
from collectors.table import MISSING
from collectors.terraform.written import Attribute, Block, Body, Span, Text, variable_of

LABELS = {"resource": 2, "data": 2, "module": 1, "variable": 1}
"""Block type → how many labels it has."""
MAX_NODES = 500_000
Marks = Mapping[int, Mapping[str, tuple[int, int]]]


def read(data: bytes) -> Text:
    """The blocks of a file at its top level."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Text((), (data.count(b"\n", 0, error.start) + 1, 1, "not UTF-8"))
    found = next(documents(text, Bounds(nodes=MAX_NODES)), None)
    if not isinstance(found, Document):
        return Text((), (found.line, 1, found.what.replace("not YAML", "not JSON")) if found else None)
    fault = (found.faults[0].line, 1, found.faults[0].what) if found.faults else None
    return Text(tuple(_top(found.value, found.marks)), fault)


def _top(value: Any, marks: Marks) -> Iterator[Block]:
    for top in _each(value):
        for kind, count in LABELS.items():
            yield from _labelled(top.get(kind), (kind,), count, marks)


def _labelled(value: Any, labels: tuple[str, ...], left: int, marks: Marks) -> Iterator[Block]:
    for mapping in _each(value):
        keys = marks.get(id(mapping), {})
        for name, inner in mapping.items():
            if left > 1:
                yield from _labelled(inner, (*labels, str(name)), left - 1, marks)
            else:
                for each in _each(inner):
                    yield _block((*labels, str(name)), each, keys.get(name), str(name), marks)


def _block(labels: tuple[str, ...], value: Any, at: tuple[int, int] | None, key: str, marks: Marks) -> Block:
    span = _span(at, key)
    return Block(labels, Span(span.line, span.column), span, lambda: _body(value, marks))


def _span(at: tuple[int, int] | None, key: str) -> Span:
    """The key, with its quotes."""
    line, column = at or (0, 0)
    return Span(line, column, line, column + len(key) + 2) if line else Span(0, 0)


def _body(value: Any, marks: Marks) -> Body:
    """Every key is an attribute, and what holds mappings a block as well: JSON does not tell them apart."""
    keys = marks.get(id(value), {})
    attributes: dict[str, Attribute] = {}
    blocks: dict[str, list[Block]] = {}
    for name, inner in value.items():
        if name == "//":
            continue
        if name == "dynamic":
            for made, each, at in _dynamic(inner, marks):
                span = _span(at, made)
                content = functools.partial(_body, next(_each(each.get("content")), {}), marks)
                block = Block(("dynamic", made), Span(span.line, span.column), span, content, dynamic=True)
                blocks.setdefault(made, []).append(block)
            continue
        attributes[name] = Attribute(
            _span(keys.get(name), name), _literal(inner), variable_of(inner) if isinstance(inner, str) else ""
        )
        for each in _each(inner):
            blocks.setdefault(name, []).append(_block((name,), each, keys.get(name), name, marks))
    return Body(attributes, blocks)


def _dynamic(value: Any, marks: Marks) -> Iterator[tuple[str, Mapping[str, Any], tuple[int, int] | None]]:
    for mapping in _each(value):
        for name, inner in mapping.items():
            for each in _each(inner):
                yield str(name), each, marks.get(id(mapping), {}).get(name)


def _each(value: Any) -> Iterator[dict[str, Any]]:
    """The mappings of one or a list of them."""
    yield from (v for v in (value if isinstance(value, list) else [value]) if isinstance(v, dict))


def _literal(value: Any) -> Any:
    if isinstance(value, list):
        found = [_literal(v) for v in value]
        return MISSING if any(v is MISSING for v in found) else found
    if isinstance(value, dict) or (isinstance(value, str) and ("${" in value or "%{" in value)):
        return MISSING
    return value
