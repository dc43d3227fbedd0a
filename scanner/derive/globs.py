"""Patterns of policies: `*` is any text, `?` any one character. Questions about two patterns, not about a pattern and a text."""

from __future__ import annotations

import functools
import itertools
import re
from collections import deque
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


FILL = "\ue000"
"""Stands for whatever a pattern leaves open: a character that nobody writes, so that only a wildcard matches it."""


@functools.lru_cache(maxsize=16384)
def witness(*patterns: str) -> str | None:
    """A text that all patterns match, the shortest; what they leave open is `FILL`. None where there is none.

    A pattern that does not match the witness may still match other texts, but one that matches it by wildcards matches them all.
    """
    start = _settled(patterns, (0,) * len(patterns))
    came: dict[tuple[int, ...], tuple[tuple[int, ...], str]] = {}
    queue: deque[tuple[int, ...]] = deque([start])
    seen = {start}
    while queue:
        at = queue.popleft()
        if all(set(p[i:]) <= {"*"} for p, i in zip(patterns, at, strict=True)):
            return _way(came, start, at)
        for char in _next(patterns, at):
            for here in _steps(patterns, at, char):
                if here not in seen:
                    seen.add(here)
                    came[here] = (at, char)
                    queue.append(here)
    return None


def _settled(patterns: tuple[str, ...], at: tuple[int, ...]) -> tuple[int, ...]:
    """Positions with runs of `*` behind them taken as one."""
    return tuple(_skip(p, i) for p, i in zip(patterns, at, strict=True))


def _skip(pattern: str, at: int) -> int:
    while pattern[at : at + 2] == "**":
        at += 1
    return at


def _next(patterns: tuple[str, ...], at: tuple[int, ...]) -> list[str]:
    """Characters that may come next: those that a pattern asks for here, or behind its `*`; else any."""
    found = {p[j] for p, i in zip(patterns, at, strict=True) for j in (i, i + 1 if p[i : i + 1] == "*" else i) if j < len(p)}
    return [*sorted(found - {"*", "?"}), FILL]


def _steps(patterns: tuple[str, ...], at: tuple[int, ...], char: str) -> Iterable[tuple[int, ...]]:
    """Where each pattern may stand after one character."""
    each: list[set[int]] = []
    for pattern, i in zip(patterns, at, strict=True):
        here: set[int] = set()
        for j in (i, i + 1) if pattern[i : i + 1] == "*" else (i,):
            if j < len(pattern):
                if pattern[j] == "*":
                    here.add(_skip(pattern, j))
                elif pattern[j] in ("?", char):
                    here.add(_skip(pattern, j + 1))
        each.append(here)
    return itertools.product(*each)


def _way(came: dict[tuple[int, ...], tuple[tuple[int, ...], str]], start: tuple[int, ...], end: tuple[int, ...]) -> str:
    text: list[str] = []
    while end != start:
        end, char = came[end]
        text.append(char)
    return "".join(reversed(text))
