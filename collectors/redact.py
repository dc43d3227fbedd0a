"""Dropping what is secret by its place, before anything leaves the collector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from collectors.project import UNREADABLE
from scanner.model import JSON

MARK = "«redacted»"


def strip(document: JSON, names: Sequence[str], reduce: Mapping[str, Callable[[Any], Any]] | None = None) -> JSON:
    """`document` with the values of keys called one of `names` replaced, at any depth; those of `reduce` by what its function makes."""
    if not names and not reduce:
        return document
    wanted, made = frozenset(names), reduce or {}

    def walk(value: JSON) -> JSON:
        if isinstance(value, dict):
            return {k: entry(k, v) for k, v in value.items()}
        if isinstance(value, list):
            return [walk(v) for v in value]
        return value

    def entry(key: str, value: JSON) -> JSON:
        if value in (None, "", [], {}):
            return value
        if key in made:
            return _reduced(made[key], value)
        return MARK if key in wanted else walk(value)

    return walk(document)


def _reduced(function: Callable[[Any], Any], value: JSON) -> JSON:
    try:
        made: JSON = function(value)
    except UNREADABLE:
        return MARK  # what reads it finds no list there, so the fact is a gap
    return made
