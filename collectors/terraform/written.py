"""What a configuration file says, as far as places go: blocks, the attributes in them, and where each begins and ends.

`hcl.py` makes these of `.tf` files, `tfjson.py` of `.tf.json` files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from collectors.table import MISSING
from scanner.model import frozen

_VARIABLE = re.compile(r'(?:var\.([A-Za-z_][\w-]*)|"?\$\{\s*var\.([A-Za-z_][\w-]*)\s*\}"?)')


@frozen
class Span:
    """Where something stands: from its first character to behind its last one, both from 1; an end of 0 is not known."""

    line: int
    column: int
    end_line: int = 0
    end_column: int = 0


@frozen
class Attribute:
    """One argument: `name = expression`."""

    span: Span
    value: Any = MISSING
    """What is written, where it is a literal."""
    variable: str = ""
    """The variable that is passed on as it is: `name = var.variable`."""


@frozen
class Body:
    """What stands in a block."""

    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    blocks: Mapping[str, Sequence[Block]] = field(default_factory=dict)
    """Name → nested blocks in order. Of a `dynamic` one it is the `content`, under the name of what it makes."""


@frozen
class Block:
    """A block: `resource "type" "name" { }`."""

    labels: tuple[str, ...]
    """Its type and labels, without quotes."""
    span: Span
    header: Span
    """The line that opens it, without the brace."""
    read: Callable[[], Body]
    """Reads what stands in it; `Source.body` keeps it."""
    dynamic: bool = False


@frozen
class Text:
    """One file."""

    blocks: tuple[Block, ...]
    fault: tuple[int, int, str] | None = None
    """(line, column, what is wrong): blocks that are whole are read all the same."""


def variable_of(text: str) -> str:
    """The variable that an expression passes on as it is; empty where it does more, or less."""
    found = _VARIABLE.fullmatch(text)
    return (found[1] or found[2]) if found else ""


def same(written: Any, planned: Any) -> bool:
    """A literal and the plan's value are the same, whichever type the provider makes of it."""
    if isinstance(written, list):
        if not isinstance(planned, list) or len(written) != len(planned):
            return False
        rest = list(planned)  # NOTE: a set has an order of its own in the plan
        for each in written:
            at = next((i for i, other in enumerate(rest) if same(each, other)), None)
            if at is None:
                return False
            del rest[at]
        return True
    if written is None or planned is None:
        return written is planned
    return _scalar(written).casefold() == _scalar(planned).casefold()  # NOTE: providers lower what they keep: `TCP`


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
