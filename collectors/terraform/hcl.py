"""Terraform's own language: a file's blocks with their places, by tree-sitter's grammar.

What is between braces is read only where somebody looks at it. https://developer.hashicorp.com/terraform/language/syntax/configuration
"""

from __future__ import annotations

import codecs
import importlib
import json
from collections.abc import Iterator
from typing import Any

from collectors.table import MISSING
from collectors.terraform.written import Attribute, Block, Body, Span, Text, variable_of
from scanner.model import BartizanError

MISSING_PARSER = "reading .tf files needs another package: pip install 'bartizan[terraform]'"
MAX_DEPTH = 20
"""Blocks within blocks that are looked into. Providers' schemas stay below 12."""
NUMBER = "numeric_lit"


def parser() -> Any:
    """tree-sitter's parser for HCL. Raises BartizanError where it is not installed."""
    try:
        core = importlib.import_module("tree_sitter")
        grammar = importlib.import_module("tree_sitter_hcl")
    except ImportError:
        raise BartizanError(f"{MISSING_PARSER}.") from None
    return core.Parser(core.Language(grammar.language()))


def read(data: bytes, parse: Any) -> Text:
    """The blocks of a file at its top level; `parse` is a `parser()`. A block that is not whole is left out, and the fault named."""
    file = _File(data.removeprefix(codecs.BOM_UTF8))
    root = parse.parse(file.data).root_node
    bodies = [n for n in root.named_children if n.type == "body"]
    blocks = tuple(
        file.block(n, MAX_DEPTH) for body in bodies for n in body.named_children if n.type == "block" and not n.has_error
    )
    return Text(blocks, file.fault(root) if root.has_error else None)


class _File:
    """The text of one file, and what nodes of its tree mean."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.ascii = data.isascii()

    def column(self, byte: int, column: int) -> int:
        """From 1, in characters: the tree counts bytes from 0."""
        return column + 1 if self.ascii else len(self.data[byte - column : byte].decode("utf-8", "replace")) + 1

    def span(self, first: Any, last: Any) -> Span:
        """From the start of one node to the end of another, or to the end of the first's line where that is earlier."""
        (row, column), (end_row, end_column) = first.start_point, last.end_point
        line, start, end = row + 1, first.start_byte, last.end_byte
        if end_row == row:
            return Span(line, self.column(start, column), line, self.column(end, end_column))
        # NOTE: services show a finding on a change only where all of its lines changed, so one line is enough of a long value
        stop = self.data.find(b"\n", start)
        text = self.data[start : stop if stop >= 0 else len(self.data)].rstrip()
        return Span(line, self.column(start, column), line, self.column(start + len(text), column + len(text)))

    def whole(self, node: Any) -> Span:
        """A node, all its lines."""
        (row, column), (end_row, end_column) = node.start_point, node.end_point
        return Span(row + 1, self.column(node.start_byte, column), end_row + 1, self.column(node.end_byte, end_column))

    def text(self, node: Any) -> str:
        """What is written."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def block(self, node: Any, left: int) -> Block:
        """A block; its body waits until somebody looks."""
        labels, last = [], node
        for child in node.named_children:
            if child.type not in ("identifier", "string_lit"):
                break
            labels.append(_unquoted(self.text(child)))
            last = child
        return Block(tuple(labels), self.whole(node), self.span(node, last), lambda: self.body(node, left - 1))

    def body(self, node: Any, left: int) -> Body:
        """What stands in a block."""
        attributes: dict[str, Attribute] = {}
        blocks: dict[str, list[Block]] = {}
        for child in self._items(node) if left > 0 else ():
            if child.type == "attribute":
                name, expression = child.named_children[0], child.named_children[-1]
                attributes[self.text(name)] = self.attribute(child, expression)
            elif child.type == "block":
                inner = self.block(child, left)
                if inner.labels[:1] == ("dynamic",) and len(inner.labels) == 2:  # noqa: PLR2004 - the word and its label
                    content = next(self._contents(child, left), None)
                    read = content.read if content else Body
                    blocks.setdefault(inner.labels[1], []).append(Block(inner.labels, inner.span, inner.header, read, dynamic=True))
                elif inner.labels:
                    blocks.setdefault(inner.labels[0], []).append(inner)
        return Body(attributes, blocks)

    def _items(self, node: Any) -> Iterator[Any]:
        for child in node.named_children:
            if child.type == "body":
                yield from child.named_children

    def _contents(self, node: Any, left: int) -> Iterator[Block]:
        """The `content` of a `dynamic` block."""
        for child in self._items(node):
            if child.type == "block" and self.text(child.named_children[0]) == "content":
                yield self.block(child, left)

    def attribute(self, node: Any, expression: Any) -> Attribute:
        """One argument."""
        text = self.text(expression).strip() if expression.start_point[0] == expression.end_point[0] else ""
        return Attribute(self.span(node, node), self._literal(expression, 2), variable_of(text))

    def _literal(self, node: Any, left: int) -> Any:
        """The value of a literal, or of a list of literals; MISSING of anything that is computed."""
        children = node.named_children
        while len(children) == 1 and node.type in ("expression", "literal_value", "collection_value"):
            node, children = children[0], children[0].named_children
        if node.type == "tuple" and left > 0:
            found = [self._literal(n, left - 1) for n in children if n.type == "expression"]
            return MISSING if any(v is MISSING for v in found) else found
        text = self.text(node)
        if node.type == "string_lit":
            return _unquoted(text)
        if node.type == NUMBER:
            return _number(text)
        if node.type == "bool_lit":
            return text == "true"
        return None if node.type == "null_lit" else MISSING

    def fault(self, root: Any) -> tuple[int, int, str]:
        """The first thing in a file that is not HCL."""
        node = root
        while True:
            if node.type == "ERROR" or node.is_missing:
                break
            broken = next((n for n in node.children if n.has_error or n.is_missing), None)
            if broken is None:
                break
            node = broken
        row, column = node.start_point
        what = f"`{node.type.replace('_', ' ')}` is missing" if node.is_missing else "not HCL"
        return row + 1, self.column(node.start_byte, column), what


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        found = json.loads(text)
    except ValueError:  # an escape that JSON has not, which only makes the literal match nothing
        return text[1:-1]
    return str(found)


def _number(text: str) -> Any:
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        return MISSING
