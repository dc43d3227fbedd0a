"""Which finding is which: those of today paired with those of a baseline.

An id is the identity, and most ids are stable: ARNs, names, and in a plan the address, in which the keys of `for_each` stay. Only the
numbers of `count` shift, when an element of the list is removed or added before others. So the instances of one `count` are compared
together, each with the same rule and tag:

1. by their own name (a bucket's, say) where the plan knows it and it is not part of the address: two names are two things;
2. by address, of those that step 1 does not tell apart;
3. what is left by number alone: as many findings as there were are known, those beyond are new.

So a shift neither opens nor closes a finding, and one more finding is one more. What this cannot see: that among instances without a
name one was mended and another one broken in the same change. Nothing in a plan tells that for certain. An `update` does not mean that
an instance is what it was: where the first element is removed and another one appended, each is updated to be its neighbour. A `no-op`
means that it is as the state has it, and not that the baseline had it by this number: a baseline file outlives a shift that is applied,
and from then on all is `no-op`, and each known finding would be new in every change. Where Terraform itself says which is which it is
believed: what has moved here from an id without a number (`exact`) goes by its id alone.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

from scanner.model import Entry, Verdict

PLANNED = "plan/"
INDEX = re.compile(r'("(?:[^"\\]|\\.)*")|\[\d+\]')
"""A number that `count` gave, or the key of `for_each` in which nothing is touched."""
Key = tuple[str, str]
"""Source and fingerprint."""
LISTING = "listing"
"""The tag of an unknown of a whole listing."""


def unnumbered(resource: str) -> str:
    """An id without the numbers of `count`; `module.a["k[0]"].b.c[2]` → `module.a["k[0]"].b.c`."""
    if not resource.startswith(PLANNED) or "[" not in resource:
        return resource
    return INDEX.sub(_key, resource)


def _key(found: re.Match[str]) -> str:
    """The key of `for_each`, or nothing for a number."""
    return found[1] or ""


def entry_of(verdict: Verdict, day: str) -> Entry:
    """A verdict as a baseline keeps it; `day` is when it was first seen."""
    subject, name = verdict.subject, verdict.name
    return Entry(
        fingerprint=verdict.fingerprint,
        rule=verdict.rule,
        resource=subject,
        severity=verdict.severity,
        first_seen=(verdict.change.first_seen if verdict.change else "") or day,
        type=verdict.native_type,
        source=verdict.source,
        region=verdict.region,
        name=name if unnumbered(subject) != subject and not f"{subject}/".startswith(f"{PLANNED}{name}/") else "",
        tag=LISTING if verdict.level == "scope" else verdict.tag,
        waived=verdict.waiver.expires if verdict.waiver else "",
    )


def paired(
    now: Iterable[Entry], was: Iterable[Entry], exact: Collection[Key] = ()
) -> tuple[list[tuple[Entry, Entry]], list[Entry], list[Entry]]:
    """(pairs of today's and the baseline's, today's that are left, the baseline's that are left)."""
    groups: dict[Hashable, tuple[list[Entry], list[Entry]]] = defaultdict(lambda: ([], []))
    for side, entries in enumerate((now, was)):
        for entry in entries:
            tag = INDEX.sub(_key, entry.tag) if entry.resource.startswith(PLANNED) else entry.tag  # a way by which it fails, say
            groups[entry.source, entry.rule, unnumbered(entry.resource), tag][side].append(entry)
    pairs: list[tuple[Entry, Entry]] = []
    new: list[Entry] = []
    gone: list[Entry] = []
    for todays, theirs in groups.values():
        more, left, rest = _instances(todays, theirs, exact) if todays and theirs else ([], todays, theirs)
        pairs += more
        new += left
        gone += rest
    return pairs, new, gone


def _instances(
    now: Sequence[Entry], was: Sequence[Entry], exact: Collection[Key]
) -> tuple[list[tuple[Entry, Entry]], list[Entry], list[Entry]]:
    """The same for the instances of one block (most often there is one)."""
    pairs: list[tuple[Entry, Entry]] = []
    left, rest = list(now), list(was)
    steps: tuple[Callable[[Entry], Hashable], ...] = (
        lambda entry: (entry.name, entry.fingerprint) if entry.name else None,
        lambda entry: entry.name or None,
        lambda entry: entry.fingerprint,
        lambda entry: None if (entry.source, entry.fingerprint) in exact else True,
    )
    for key in steps:
        more, left, rest = _step(left, rest, key)
        pairs += more
    return pairs, left, rest


def _step(
    now: Sequence[Entry], was: Sequence[Entry], key: Callable[[Entry], Hashable]
) -> tuple[list[tuple[Entry, Entry]], list[Entry], list[Entry]]:
    """Pairs of equal key (None is equal to nothing), in their order; never of two names, where both have a number."""
    named: dict[Hashable, deque[Entry]] = defaultdict(deque)
    nameless: dict[Hashable, deque[Entry]] = defaultdict(deque)
    for entry in was:
        if (value := key(entry)) is not None:
            (named if entry.name else nameless)[value].append(entry)
    pairs, left = [], []
    for entry in now:
        value = key(entry)
        found = nameless.get(value)
        if not found and (theirs := named.get(value)) and (not entry.name or theirs[0].name == entry.name):
            found = theirs
        if found and value is not None:
            pairs.append((entry, found.popleft()))
        else:
            left.append(entry)
    taken = {id(theirs) for _, theirs in pairs}
    return pairs, left, [entry for entry in was if id(entry) not in taken]
