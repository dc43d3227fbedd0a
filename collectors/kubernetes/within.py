"""Steps into what may not be of the documented shape.

`mapping`, `sequence` and `mappings` take what is odd for nothing. Where nothing would read as fine there are `part`, `elements`, `texts`
and `switch`: they raise ValueError, which makes a gap. The API server takes none of it, but a manifest may be a template still.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any


def mapping(value: Any) -> Mapping[str, Any]:
    """`value`, or an empty mapping where it is none. Objects are parsed JSON or YAML, so a mapping is a dict."""
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> Sequence[Any]:
    """`value`, or an empty list where it is none."""
    return value if isinstance(value, list) else []


def mappings(value: Any) -> list[Mapping[str, Any]]:
    """The mappings in a list."""
    return [v for v in sequence(value) if isinstance(v, dict)]


PARAMETER = re.compile(r"\{\{|\$[({]")
"""A template's parameter."""


def part(value: Any, what: str) -> Mapping[str, Any]:
    """A mapping that is written as one, or not at all."""
    if value is not None and not isinstance(value, dict):
        raise ValueError(f"{what} is no object")
    return value or {}


def elements(value: Any, what: str) -> Sequence[Mapping[str, Any]]:
    """The mappings of a list that is written as one, or not at all."""
    if value is not None and (not isinstance(value, list) or not all(isinstance(v, dict) for v in value)):
        raise ValueError(f"{what} is no list of objects")
    return value or []


def texts(value: Any, what: str) -> list[str]:
    """The texts of a list that is written as one, or not at all; none of them is a template's parameter."""
    if value is not None and (not isinstance(value, list) or not all(isinstance(v, str) for v in value)):
        raise ValueError(f"{what} is no list of texts")
    if any(map(PARAMETER.search, value or ())):
        raise ValueError(f"{what} holds a template's parameter")
    return value or []


def switch(value: Any, what: str) -> bool | None:
    """A switch that is written as one, or not at all."""
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{what} is neither true nor false")
    return value


def number(value: Any, what: str) -> int | None:
    """A whole number that is written as one, or not at all."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise ValueError(f"{what} is no whole number")
    return value


def one_of(value: Any, known: frozenset[str], what: str) -> str:
    """One of the values that a field knows; empty where it is not written."""
    if value not in (None, "") and (not isinstance(value, str) or value not in known):
        raise ValueError(f"{what} is none of {', '.join(sorted(known))}")
    return value or ""
