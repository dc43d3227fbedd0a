"""From a row of answers to a `Resource`: the one place where facts are read, and where a missing answer becomes a gap."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collectors.table import MISSING, Const, Fact, Field
from scanner.model import Gap, Origin, Reason, Resource

UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, RecursionError)
"""What a `read` function raises on an answer that is not of the documented shape."""


@functools.lru_cache(maxsize=4096)
def compiled(path: str) -> Any:
    """The compiled JMESPath expression."""
    import jmespath  # noqa: PLC0415 - so that `--help` does not pay for it

    return jmespath.compile(path)


_NAMES = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])?(?:\.[A-Za-z_]\w*(?:\[\d+\])?)*", re.ASCII)
_BELOW = re.compile(r"(?:\.\{|\[\*?\])[\w.\[\]*{}:, ]*", re.ASCII)
_STEP = re.compile(r"[A-Za-z_]\w*|\d+", re.ASCII)


@functools.lru_cache(maxsize=4096)
def _steps(path: str) -> tuple[tuple[str | int, ...], bool]:
    """The names and places (`a.b[0]`) that a path begins with, and whether that is all of it.

    What follows them takes what is there apart (`[].c`, `.{d: d}`), so of nothing it is nothing. Of any other path there are no steps.
    """
    begin = _NAMES.match(path)
    end = begin.end() if begin else 0
    if begin is None or not (end == len(path) or _BELOW.fullmatch(path, end)):
        return (), not path
    return tuple(int(step) if step.isdecimal() else step for step in _STEP.findall(begin[0])), end == len(path)


def look(path: str, document: Any) -> Any:
    """What stands at a JMESPath in `document`; None where nothing does. An empty path is the document."""
    steps, whole = _steps(path)
    given = document
    # NOTE: nearly every path is or begins with a few names, mostly of nothing: the library would take ten times as long
    for step in steps:
        if isinstance(step, int):
            if not isinstance(document, list) or step >= len(document):
                return None
            document = document[step]
        elif isinstance(document, (dict, Mapping)):  # NOTE: in this order, since the second takes thirty times as long
            document = document.get(step)
        else:
            return None
    return document if whole or (steps and document is None) else compiled(path).search(given)


@functools.lru_cache(maxsize=4096)
def part_of(path: str) -> str:
    """The part of the row that a path starts in."""
    end = next((i for i, c in enumerate(path) if not (c.isalnum() or c == "_")), len(path))
    return path[:end]


@dataclass(slots=True)
class Parts:
    """A row on its way to a resource: what was answered, what was not, and by which call."""

    row: dict[str, Any]
    """Part → answer. A part that was not asked for, or has no answer, is missing or None."""
    gaps: dict[str, Gap] = field(default_factory=dict)
    """Part → why its call failed."""
    calls: dict[str, str] = field(default_factory=dict)
    """Part → id of the call."""
    hidden: Callable[[str], Gap | None] | None = None
    """For plans: a path → why its value is unknown or sensitive, None where it is known."""


def paths(fact: Fact) -> tuple[str, ...]:
    """The paths a fact is read from."""
    if isinstance(fact, Const):
        return ()
    return (fact.path,) if isinstance(fact.path, str) else fact.path


def _shown(wanted: Sequence[str]) -> str:
    """Paths as a reader sees them: the account and region that an id is made of are not what is missing."""
    return ", ".join([p for p in wanted if part_of(p) != "context"] or wanted)


def read(fact: Fact, parts: Parts) -> tuple[Any, Gap | None]:
    """The value of a fact and its gap; the value is MISSING where nothing is known of it."""
    if isinstance(fact, Const):
        return fact.value, None
    wanted = paths(fact)
    gap = next((g for p in wanted if (g := parts.gaps.get(part_of(p)))), None)
    if gap is None and parts.hidden is not None:
        gap = next((g for p in wanted if (g := parts.hidden(p))), None)
    if gap is not None and not fact.partial:
        return MISSING, gap
    try:
        values = [look(p, parts.row) for p in wanted]
        value = converted(fact, values)
    except UNREADABLE as error:
        return MISSING, gap or Gap(
            Reason.UNPARSABLE, _shown(wanted), "Report it with the answer's shape.", f"{type(error).__name__}: {error}"[:200]
        )
    if value is MISSING:
        return MISSING, gap or Gap(Reason.NOT_OFFERED, _shown(wanted), "This source does not tell it.")
    return value, gap


def converted(fact: Field, values: list[Any]) -> Any:
    """The fact of what stands at its paths; MISSING where that says nothing. Raises one of UNREADABLE."""
    if all(v is None for v in values):
        return fact.absent
    if fact.read is None:
        return values[0] if len(values) == 1 else values
    if isinstance(fact.read, Mapping):
        return fact.read[values[0]]
    return fact.read(*values)


def project(
    parts: Parts,
    facts: Mapping[str, Fact],
    *,
    wanted: Collection[str],
    resource: Resource,
) -> Resource:
    """`resource` (identity only) completed with the `wanted` facts of the table.

    Facts that are not wanted are left out altogether: nobody asked, so there is no gap either.
    """
    values: dict[str, Any] = {}
    gaps: dict[str, Gap] = {}
    origins: dict[str, Origin] = {}
    for name in sorted(wanted):
        fact = facts.get(name)
        if fact is None:
            continue
        value, gap = read(fact, parts)
        if gap is not None:
            gaps[name] = gap
        if value is not MISSING:
            values[name] = value
        origins[name] = _origin(fact, parts.calls)
    return resource.replace(facts=values, gaps=gaps, origins=origins)


def _origin(fact: Fact, calls: Mapping[str, str]) -> Origin:
    read_from = paths(fact)
    if not read_from:
        return Origin("", "constant of the table")
    # NOTE: of several parts the last that was asked for by itself: the first are mostly the listing and its context
    own = [calls[part] for part in map(part_of, read_from) if part in calls and part not in ("item", "parent")]
    return Origin(own[-1] if own else calls.get("item", ""), ", ".join(read_from))


def tag_list(pairs: Any) -> dict[str, str]:
    """Tags from the usual list of `Key`/`Value` (or `TagKey`/`TagValue`, `key`/`value`) pairs, or from a mapping."""
    if isinstance(pairs, Mapping):
        return {str(k): str(v) for k, v in pairs.items()}
    found = {}
    for pair in pairs or []:
        for key, value in (("Key", "Value"), ("TagKey", "TagValue"), ("key", "value")):
            if key in pair:
                found[str(pair[key])] = str(pair.get(value, ""))
    return found
