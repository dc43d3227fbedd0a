"""Steps into what may not be of the documented shape."""

from __future__ import annotations

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
