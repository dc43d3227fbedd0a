"""Patterns of policies: `*` is any text, `?` any one character. Questions about two patterns, not about a pattern and a text."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

SHORTEST = 3
"""No action or resource is shorter than this."""


@functools.lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    # NOTE: `?` must not swallow the other pattern's `*`, which stands for more than one character
    parts = (".*" if c == "*" else "[^*]" if c == "?" else re.escape(c) for c in pattern)
    return re.compile("".join(parts), re.DOTALL)


def covers(wide: str, narrow: str) -> bool:
    """Everything that `narrow` matches is matched by `wide`. Sound; an odd pair (`a*` of `*a*`) may be missed."""
    return _compiled(wide).fullmatch(narrow) is not None


def any_covers(wide: Iterable[str], narrow: str) -> bool:
    """One of `wide` covers `narrow`."""
    return any(covers(w, narrow) for w in wide)


@functools.lru_cache(maxsize=4096)
def overlaps(one: str, other: str) -> bool:
    """Some text is matched by both patterns."""
    reach = {0}
    states = [_closure(other, reach)]
    for char in one:
        if char == "*":
            last = set(states[-1])
            low = min(last, default=None)
            states.append(set() if low is None else set(range(low, len(other) + 1)))
            continue
        fits = (at for at in states[-1] if at < len(other) and (other[at] in ("*", "?") or char in ("?", other[at])))
        step = {at + (other[at] != "*") for at in fits}
        states.append(_closure(other, step))
    return len(other) in states[-1]


def _closure(pattern: str, at: set[int]) -> set[int]:
    """Positions reachable without a character: `*` may stand for nothing."""
    found = set(at)
    for start in at:
        here = start
        while here < len(pattern) and pattern[here] == "*":
            here += 1
            found.add(here)
    return found


def everything(pattern: str) -> bool:
    """The pattern matches any text (`*`, `**`), any action (`*:*`), or any of some length that all have (`?*`)."""
    return set(pattern) <= {"*", ":", "?"} and "*" in pattern and not pattern.endswith(":") and pattern.count("?") <= SHORTEST
