"""What Terraform moves to another address (`moved` blocks, a `count` that comes or goes) is the same thing there.

A plan tells its moves against the state, so it tells them until it is applied and never again. What is known by an old id is therefore
carried to the new one: findings and unknowns of a baseline (`Moved`) and waivers that name one resource (`followed`). What comes into
being at an address that another thing has left is new there, and nobody's waiver is for it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from scanner.matching import LISTING, PLANNED
from scanner.model import Entry, Verdict, Waiver, WaiverState, fingerprint
from scanner.waivers import matcher, wild

Moves = Mapping[str, Mapping[str, str]]
"""Source → id that a resource had → id that it has now, empty where Terraform lets go of it (a `removed` block) and leaves it as it is."""

_NAME = r"[^\W\d][\w-]*"
_KEY = r'(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?'
ADDRESS = re.compile(rf'(?<![\w.\-\]"/])({PLANNED})?((?:module\.{_NAME}{_KEY}\.)*(?:data\.)?{_NAME}\.{_NAME}{_KEY})', re.DOTALL)
"""An address in an id or a tag, with what makes it an id or without."""


def carried(text: str, there: Callable[[str], str]) -> str:
    """`text` with each address in it (of ids, of blocks within a resource, in tags) put through `there`, which maps ids to ids."""

    def put(found: re.Match[str]) -> str:
        start = found[1] or ""
        identity = PLANNED + found[2]
        moved = there(identity)
        return found[0] if moved == identity else start + moved.removeprefix(PLANNED)

    return ADDRESS.sub(put, text)


def base(identity: str) -> str:
    """The id of a resource, without what a block within it adds: `plan/aws_instance.a/root_block_device` → `plan/aws_instance.a`."""
    found = ADDRESS.match(identity)
    return found[0] if found and found[1] else identity


def _pending(then: Mapping[str, str], now: Mapping[str, str]) -> bool:
    """Whether moves that a baseline's plan told are not applied yet: then the state has what moves by its old id, and it is told again."""
    lost = then.keys() - set(then.values())
    return any(now.get(old) for old in lost) if lost else any(now.get(old) == new for old, new in then.items())


class Moved:
    """Where what a baseline knows is today."""

    def __init__(self, now: Moves, then: Moves) -> None:
        """`now` are the moves that today's plans tell, `then` those that the baseline's told."""
        self._now = now
        self._then = then
        self._came = {source: {new: old for old, new in moves.items() if new} for source, moves in then.items()}
        self._pending = {source for source, moves in then.items() if _pending(moves, now.get(source, {}))}

    def today(self, source: str, identity: str) -> str:
        """The id that has now what had `identity` in the baseline."""
        now = self._now.get(source, {})
        if source in self._pending:
            if before := self._came[source].get(identity):
                return now.get(before) or before  # the state has it there: it moves, perhaps to elsewhere now, or does not any more
            if self._then[source].get(identity):
                return identity  # what will come into being where that was which moved away
        return now.get(identity) or identity

    def entry(self, entry: Entry) -> Entry:
        """The entry at today's id; the same object where that is the old one."""
        if entry.tag == LISTING or not self._now.get(entry.source):
            return entry

        def there(identity: str) -> str:
            return self.today(entry.source, identity)

        resource, tag = carried(entry.resource, there), carried(entry.tag, there)
        if (resource, tag) == (entry.resource, entry.tag):
            return entry
        return dataclasses.replace(entry, resource=resource, tag=tag, fingerprint=fingerprint(entry.rule, resource, tag))

    def entries(self, entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], dict[tuple[str, str], str]]:
        """(entries at today's ids, those that moved first; source and fingerprint of these → the id that they had)."""
        moved, stayed, had = list[Entry](), list[Entry](), dict[tuple[str, str], str]()
        for was in entries:
            entry = self.entry(was)
            (stayed if entry is was else moved).append(entry)
            if entry.resource != was.resource:
                had[entry.source, entry.fingerprint] = was.resource
        return (*moved, *stayed), had

    def let_go(self, entry: Entry) -> bool:
        """Whether Terraform lets go of what has the entry, and leaves it as it is."""
        return self._now.get(entry.source, {}).get(base(entry.resource)) == ""


def needed(moves: Moves, entries: Sequence[Entry]) -> dict[str, dict[str, str]]:
    """Those of the moves that say something about these entries."""
    named: dict[str, set[str]] = {source: set() for source, each in moves.items() if each}
    for entry in entries:
        if entry.source in named:
            found = (*ADDRESS.finditer(entry.resource), *ADDRESS.finditer(entry.tag))
            named[entry.source].update(PLANNED + each[2] for each in found)
    kept = {source: {old: new for old, new in moves[source].items() if old in ids or new in ids} for source, ids in named.items()}
    for source, few in kept.items():
        lost = moves[source].keys() - set(moves[source].values())
        if few and lost and not lost & few.keys():
            old = min(lost)  # NOTE: two that change places do not tell whether that was applied; one that left its address does
            few[old] = moves[source][old]
    return {source: each for source, each in kept.items() if each}


def tracked(moves: Moves) -> Callable[[Verdict], str]:
    """By what a system that compares two reports by itself knows a finding again: the fingerprint by the id that the state has.

    So the report of the change that moves a resource says what the one before it said. What is new at an address that was left has a
    fingerprint of its own.
    """
    came = {source: {new: old for old, new in each.items() if new} for source, each in moves.items()}

    def known(verdict: Verdict) -> str:
        before = came.get(verdict.source)
        if not before or verdict.level != "resource":
            return verdict.fingerprint
        resource, tag = (carried(text, lambda each: before.get(each, each)) for text in (verdict.subject, verdict.tag))
        if resource == verdict.subject and moves[verdict.source].get(base(resource)):
            tag += "\0new here"
        elif (resource, tag) == (verdict.subject, verdict.tag):
            return verdict.fingerprint
        return fingerprint(verdict.rule, resource, tag)

    return known


def followed(waivers: Iterable[Waiver], moves: Moves) -> tuple[Waiver, ...]:
    """The waivers; one that names a single resource (no `*`, no `?`) goes with it where it moves.

    It is for that thing, which Terraform says it still is. A pattern is for a place: what leaves the place leaves the waiver.
    """
    return tuple(
        dataclasses.replace(waiver, moved="" if waiver.inline or wild(waiver) else _there(waiver.resource, moves))
        for waiver in waivers
    )


def _there(resource: str, moves: Moves) -> str:
    """Where the resource is now that a waiver names by its id, or by its address alone; empty where it does not move."""
    identity = resource if resource.startswith(PLANNED) else PLANNED + resource
    for each in moves.values():
        found = carried(identity, lambda old, each=each: each.get(old) or old)  # type: ignore[misc]
        if found != identity:
            return found
    return ""


def left(waivers: Iterable[Waiver], moves: Moves) -> tuple[Waiver, ...]:
    """The waivers; an unused pattern with where that is now which it meant before."""
    pairs = [pair for each in moves.values() for pair in each.items() if pair[1]]

    def told(waiver: Waiver) -> Waiver:
        if waiver.state is not WaiverState.UNUSED or waiver.inline or not wild(waiver):
            return waiver
        means = matcher(waiver.resource).fullmatch
        gone = next((new for old, new in pairs if means(old) and not means(new)), "")
        return dataclasses.replace(waiver, moved=gone)

    return tuple(map(told, waivers)) if pairs else tuple(waivers)
