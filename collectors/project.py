"""From a row of answers to a `Resource`: the one place where facts are read, and where a missing answer becomes a gap."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collectors.table import MISSING, Const, Fact, Field
from scanner.model import Gap, Origin, Reason, Resource, frozen

UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, RecursionError, StopIteration)
"""What a `read` function raises on an answer that is not of the documented shape."""


@functools.lru_cache(maxsize=4096)
def compiled(path: str) -> Any:
    """The compiled JMESPath expression."""
    import jmespath  # noqa: PLC0415 - so that `--help` does not pay for it

    return jmespath.compile(path)


_NAMES = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])?(?:\.[A-Za-z_]\w*(?:\[\d+\])?)*", re.ASCII)
_STEP = re.compile(r"[A-Za-z_]\w*|\d+", re.ASCII)
_PICK = re.compile(r"\.\{([\w: ,]+)\}$", re.ASCII)
Steps = tuple[str | int, ...]


@frozen
class _Route:
    """A path made of names, places (`[0]`), every element (`[]`) and, at its end, some names to keep (`.{a: a, b: b}`)."""

    steps: tuple[Steps, ...]
    """Between each of them stands `[]`."""
    kept: tuple[tuple[str, str], ...] = ()
    """(new name, name)."""


@functools.lru_cache(maxsize=4096)
def _route(path: str) -> _Route | None:
    """The route of a path; None of a path of another form, which the library has to read."""
    pick = _PICK.search(path)
    kept = tuple((new.strip(), old.strip()) for new, _, old in (p.partition(":") for p in pick[1].split(","))) if pick else ()
    parts = (path[: pick.start()] if pick else path).split("[]")
    names = [part.removeprefix(".") if number else part for number, part in enumerate(parts)]
    wrong = any(part and not part.startswith(".") for part in parts[1:]) or any(n and not _NAMES.fullmatch(n) for n in names)
    if (
        wrong
        or (not names[0] and (len(names) > 1 or pick))
        or not all(new.isidentifier() and old.isidentifier() for new, old in kept)
    ):
        return None
    return _Route(tuple(tuple(int(s) if s.isdecimal() else s for s in _STEP.findall(n)) for n in names), kept)


def _follow(steps: Steps, document: Any) -> Any:
    for step in steps:
        if isinstance(step, int):
            if not isinstance(document, list) or step >= len(document):
                return None
            document = document[step]
        elif isinstance(document, (dict, Mapping)):  # NOTE: in this order, since the second takes thirty times as long
            document = document.get(step)
        else:
            return None
    return document


def look(path: str, document: Any) -> Any:
    """What stands at a JMESPath in `document`; None where nothing does. An empty path is the document."""
    route = _route(path)
    if route is None:
        return compiled(path).search(document)
    # NOTE: nearly every path is of this form, and mostly of nothing: the library takes ten times as long
    found = _follow(route.steps[0], document)
    for steps in route.steps[1:]:
        if not isinstance(found, list):
            return None
        flat: list[Any] = []
        for each in found:
            (flat.extend if isinstance(each, list) else flat.append)(each)
        found = [value for each in flat if (value := _follow(steps, each)) is not None]
    if not route.kept or found is None:
        return found
    if len(route.steps) > 1:
        return [_kept(each, route.kept) for each in found]
    return _kept(found, route.kept)


def _kept(value: Any, names: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    mapping = value if isinstance(value, (dict, Mapping)) else {}
    return {new: mapping.get(old) for new, old in names}


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


def _gap(wanted: Sequence[str], parts: Parts) -> Gap | None:
    """The first gap of some paths: of their parts, then of what is hidden in these."""
    if parts.gaps:
        for path in wanted:
            if gap := parts.gaps.get(part_of(path)):
                return gap
    if parts.hidden is not None:
        for path in wanted:
            if gap := parts.hidden(path):
                return gap
    return None


def read(fact: Fact, parts: Parts) -> tuple[Any, Gap | None]:
    """The value of a fact and its gap; the value is MISSING where nothing is known of it."""
    if isinstance(fact, Const):
        return fact.value, None
    wanted = paths(fact)
    gap = _gap(wanted, parts)
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
    if len(values) == 1:
        if values[0] is None:
            return fact.absent
        if fact.read is None:
            return values[0]
    elif all(v is None for v in values):
        return fact.absent
    if fact.read is None:
        return values
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


CONSTANT = Origin("", "constant of the table")


@functools.lru_cache(maxsize=4096)
def _pointer(read_from: tuple[str, ...]) -> Origin:
    """The origin of a fact of a file: the same for every resource of a table."""
    return Origin("", ", ".join(read_from)) if read_from else CONSTANT


def _origin(fact: Fact, calls: Mapping[str, str]) -> Origin:
    read_from = paths(fact)
    if not calls:
        return _pointer(read_from)
    if not read_from:
        return CONSTANT
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
