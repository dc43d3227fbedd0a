"""Three-valued logic over facts: True, False, or a `Gap`. A gap counts only where it could change the answer."""

from __future__ import annotations

from collections.abc import Iterable

from scanner.model import JSON, Gap

Truth = bool | Gap


def is_true(value: JSON | Gap) -> Truth:
    """A fact as a truth: only true is true."""
    return value if isinstance(value, Gap) else value is True


def any_of(values: Iterable[Truth]) -> Truth:
    """True where one is true; else the first gap; else False."""
    gap: Gap | None = None
    for value in values:
        if isinstance(value, Gap):
            gap = gap or value
        elif value:
            return True
    return gap or False


def all_of(values: Iterable[Truth]) -> Truth:
    """False where one is false; else the first gap; else True."""
    gap: Gap | None = None
    for value in values:
        if isinstance(value, Gap):
            gap = gap or value
        elif not value:
            return False
    return gap or True
