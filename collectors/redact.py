"""Dropping what is secret by its place, before anything leaves the collector."""

from __future__ import annotations

from collections.abc import Sequence

from scanner.model import JSON

MARK = "«redacted»"


def strip(document: JSON, names: Sequence[str]) -> JSON:
    """`document` with the values of keys called one of `names` replaced, at any depth."""
    if not names:
        return document
    wanted = frozenset(names)

    def walk(value: JSON) -> JSON:
        if isinstance(value, dict):
            return {k: (MARK if k in wanted and v not in (None, "", [], {}) else walk(v)) for k, v in value.items()}
        if isinstance(value, list):
            return [walk(v) for v in value]
        return value

    return walk(document)
