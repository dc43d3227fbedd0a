"""A `World` over a snapshot: cached reads, coverage, and derived facts on demand."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from scanner.derive.world import Derivation
from scanner.facts import checked
from scanner.model import JSON, Coverage, Gap, Origin, Reason, Resource, Where
from scanner.snapshot import Snapshot

T = TypeVar("T")
KEPT = 8_000
"""Resources, and derived results, kept at hand."""
CIRCUMSTANCES = ("type", "protocol", "engine", "created")
"""Ends of the names of facts that say what a resource is: what is wrong with it stands elsewhere."""


DERIVED = Origin("", "derived")


class Lru(OrderedDict[Any, Any]):
    """A mapping that forgets what was not used for long."""

    def keep(self, key: Any, value: T) -> T:
        """Put and return `value`."""
        self[key] = value
        if len(self) > KEPT:
            self.popitem(last=False)
        return value


class SnapshotWorld:
    """See `scanner.derive.world.World`."""

    def __init__(self, snapshot: Snapshot, derivations: Sequence[Derivation], settings: Mapping[str, JSON] | None = None) -> None:
        self._snapshot = snapshot
        self._settings = settings or {}
        self._by_fact: dict[tuple[str, str], list[Derivation]] = {}
        for derivation in derivations:
            for fact in derivation.facts:
                self._by_fact.setdefault((derivation.kind, fact), []).append(derivation)
        self._listings: dict[tuple[str, str], list[Coverage]] = {}
        for row in snapshot.listings():
            self._listings.setdefault((row.native_type, row.scope), []).append(row)
        self._small = snapshot.size()[0] <= KEPT
        self._kinds: dict[str, dict[str, Resource]] = {}
        """Of a small snapshot: kind → id → resource, each read and checked once."""
        self._gaps: dict[tuple[str, str, str], Gap | None] = {}
        self._resources = Lru()
        self._derived = Lru()
        self._memo: dict[str, Any] = {}

    def get(self, kind: str, id: str) -> Resource | None:  # noqa: A002 - the field's name
        """See `World`."""
        if self._small:
            return self._kind(kind).get(id)
        key = (kind, id)
        if key in self._resources:
            self._resources.move_to_end(key)
            return cast("Resource | None", self._resources[key])
        found = self._snapshot.get(kind, id)
        return self._resources.keep(key, found and checked(found))

    def all(self, kind: str, scope: str = "") -> Iterator[Resource]:
        """See `World`."""
        every = self._kind(kind).values() if self._small else map(checked, self._snapshot.resources(kind, scope))
        return (r for r in every if (not scope or r.scope == scope) and not r.partial)

    def part(self, kind: str, scope: str, after: str | None, limit: int) -> Iterator[Resource]:
        """See `scanner.stored.Stored.part`."""
        if self._small:
            found = (r for r in self._kind(kind).values() if r.scope == scope and (after is None or r.id > after))
            return itertools.islice(found, limit)
        return self._snapshot.part(kind, scope, after, limit)

    def _kind(self, kind: str) -> dict[str, Resource]:
        if kind not in self._kinds:
            self._kinds[kind] = {r.id: checked(r) for r in self._snapshot.resources(kind)}
        return self._kinds[kind]

    def listing(self, native_type: str, scope: str, region: str = "") -> Gap | None:
        """See `World`."""
        key = (native_type, scope, region)
        if key not in self._gaps:
            self._gaps[key] = self._missing(native_type, scope, region)
        return self._gaps[key]

    def _missing(self, native_type: str, scope: str, region: str) -> Gap | None:
        rows = self._listings.get((native_type, scope), [])
        if region and any(r.region == region for r in rows):
            rows = [r for r in rows if r.region == region]
        if not rows:
            return Gap(Reason.NOT_OFFERED, "", f"No {native_type} was collected for {scope}.")
        return next((r.gap for r in rows if r.gap is not None), None)

    def fact(self, resource: Resource, name: str) -> JSON | Gap:
        """See `World`."""
        if name in resource.gaps:
            return resource.gaps[name]
        if name in resource.facts:
            return resource.facts[name]
        found = self._derive(resource, name)
        return Gap(Reason.NOT_OFFERED, "", f"This source does not tell {name}.") if found is None else found[0]

    def _derive(self, resource: Resource, name: str) -> tuple[JSON | Gap] | None:
        """The derived fact in a 1-tuple; None where nothing provides it."""
        for derivation in self._by_fact.get((resource.kind, name), ()):
            if derivation.native_types and resource.native_type not in derivation.native_types:
                continue
            key = (resource.kind, resource.id, id(derivation))
            if key not in self._derived:
                self._derived.keep(key, self._apply(derivation, resource))
            facts = self._derived[key]
            if name in facts:
                return (facts[name],)
        return None

    def _apply(self, derivation: Derivation, resource: Resource) -> Mapping[str, JSON | Gap]:
        """What a derivation says; facts of a shape that it does not expect make a visible `bug`, never a missing row."""
        try:
            return derivation.apply(resource, self)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
            fault = f"{type(error).__name__}: {error}"[:200]
            return dict.fromkeys(
                derivation.facts, Gap(Reason.BUG, f"derive {resource.kind}", "This is a fault of bartizan; report it.", fault)
            )

    def memo(self, key: str, build: Callable[[], T]) -> T:
        """See `World`."""
        if key not in self._memo:
            self._memo[key] = build()
        return cast("T", self._memo[key])

    def settings(self) -> Mapping[str, JSON]:
        """See `World`."""
        return self._settings

    def complete(self, resource: Resource, wanted: Iterable[str]) -> Resource:
        """`resource` with its facts checked, and with those of the `wanted` facts that are derived."""
        if not self._small or self._kind(resource.kind).get(resource.id) is not resource:
            resource = checked(resource)
        facts, gaps, origins = dict(resource.facts), dict(resource.gaps), dict(resource.origins)
        places: dict[str, Where] = {}
        for name in wanted:
            if name in facts or name in gaps:
                continue
            found = self._derive(resource, name)
            if found is None:
                continue
            if isinstance(found[0], Gap):
                gaps[name] = found[0]
            else:
                facts[name] = found[0]
            origins[name] = DERIVED
            # NOTE: only where the collector tells blocks (source text); elsewhere it places what is derived itself
            if resource.places and resource.where.block != (0, 0) and (place := self._place(resource, name)):
                places[name] = place
        if places:
            resource = resource.replace(places={**places, **resource.places})
        return resource.replace(facts=facts, gaps=gaps, origins=origins)

    def _place(self, resource: Resource, name: str, left: int = 4) -> Where | None:
        """The place of a derived fact: that of the one fact it is read from, or of the one most like it by name; else none."""
        found: dict[Where, int] = {}
        for derivation in self._by_fact.get((resource.kind, name), ()) if left else ():
            if derivation.native_types and resource.native_type not in derivation.native_types:
                continue
            for need in derivation.needs:
                if need.endswith(CIRCUMSTANCES):
                    continue
                place = resource.places.get(need) or (self._place(resource, need, left - 1) if need != name else None)
                if place is not None:
                    found[place] = max(found.get(place, 0), _alike(need, name))
        best = [place for place, alike in found.items() if alike == max(found.values())]
        return best[0] if len(best) == 1 else None


def _alike(one: str, other: str) -> int:
    """How many words two names begin with alike: `key_id` and `key_manager` one."""
    both = zip(one.split("_"), other.split("_"), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], both))
