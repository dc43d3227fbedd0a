"""Waivers in the comments of configuration files, and the block that each is for.

A comment is for the block that it stands in, above or behind: for all that a `resource`, `data` or `module` block makes.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from typing import Any

from scanner.model import Inline, Where
from scanner.model.inline import MARKER, MOST, behind

BLOCKS = ("resource", "data", "module")
AWAY = "stands in a module that is no part of this repository; write it at the module's call"
NOWHERE = "stands at no block: put it on the line above a resource or module block, or in it"
_MARKER = MARKER.encode()


def marked(data: bytes) -> bool:
    """Whether a file may have a waiver: no other is parsed for them."""
    return _MARKER in data


def inline(file: str, data: bytes, parse: Any, *, local: bool) -> Iterator[Inline]:
    """The waivers in a file; `parse` is a parser of `hcl.py`. Only those count that are `local`: what was downloaded waives nothing."""
    data = data.removeprefix(codecs.BOM_UTF8)
    root = parse.parse(data).root_node
    bodies = [node for node in root.named_children if node.type == "body"]
    blocks = [node for body in bodies for node in body.named_children if node.type == "block"]
    comments = list(_comments(root))
    rows = {row for node in comments for row in range(node.start_point[0], node.end_point[0] + 1)}
    count = 0
    for node in comments:
        text = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        for number, line in enumerate(text.split("\n")):
            said = behind(line)
            if said is None:
                continue
            count += 1
            row = node.start_point[0] + number
            where = Where(file, row + 1)
            if count > MOST:
                yield Inline("", where, problem=f"is one of more than {MOST} in a file; the rest is not read")
                return
            block = _block(node, blocks, rows)
            kind = _kind(block, data) if block is not None else ""
            if not local:
                yield Inline(said, where, problem=AWAY)
            elif block is None or kind not in BLOCKS:
                yield Inline(said, where, problem=NOWHERE + (f"; it stands at a {kind} block" if kind else ""))
            else:
                yield Inline(said, Where(file, row + 1, block=(block.start_point[0] + 1, block.end_point[0] + 1)))


def _comments(root: Any) -> Iterator[Any]:
    """The comments of a file that have the marker or may stand between one and its block, in order."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.type == "comment":
            yield node
        else:
            todo += reversed(node.children)


def _block(comment: Any, blocks: Sequence[Any], rows: set[int]) -> Any:
    """The block at the top of the file that a comment stands in, behind or above; None where there is none."""
    for block in blocks:
        if block.start_byte <= comment.start_byte < block.end_byte:
            return block
    for block in blocks:
        if block.end_byte <= comment.start_byte and block.end_point[0] == comment.start_point[0]:
            return block
    row = comment.end_point[0]
    following = min((b for b in blocks if b.start_byte >= comment.end_byte), key=lambda b: b.start_byte, default=None)
    if following is None or not all(between in rows for between in range(row + 1, following.start_point[0])):
        return None
    return following


def _kind(block: Any, data: bytes) -> str:
    """The word that a block begins with."""
    first = block.named_children[0] if block.named_children else None
    return data[first.start_byte : first.end_byte].decode("utf-8", "replace") if first is not None else ""
