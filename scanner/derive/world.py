"""What a derivation sees: one resource, and the rest of the snapshot through `World`.

A derivation makes facts that need more than one resource (who manages the key that a bucket names). It never guesses: where a
resource that it needs was not seen, the derived fact is the gap of that listing. Facts that name another resource hold that
resource's canonical id, so `World.get` takes them as they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Protocol, TypeVar

from scanner.model import JSON, Gap, Resource, frozen

T = TypeVar("T")


class World(Protocol):
    """Read access to the snapshot, by kind. Reads are cached; a listing of a large kind is streamed."""

    def get(self, kind: str, id: str) -> Resource | None:  # noqa: A002 - the field's name
        """The resource, or None where the snapshot has none."""

    def all(self, kind: str, scope: str = "") -> Iterable[Resource]:
        """Resources of a kind (of one scope), ordered by id. None of which only parts are seen."""

    def listing(self, native_type: str, scope: str, region: str = "") -> Gap | None:
        """Why not all resources of a native type were seen there: None where the listing is complete.

        An empty region asks about every region of the scope. A type that was never asked for is the gap `not_offered`.
        """

    def fact(self, resource: Resource, name: str) -> JSON | Gap:
        """A fact of any resource, derived ones included; its gap where it is unknown or only partly known."""

    def memo(self, key: str, build: Callable[[], T]) -> T:
        """`build()`, once a world: for indexes over a kind."""

    def settings(self) -> Mapping[str, JSON]:
        """`zones` and `tenants` from `bartizan.yaml`."""


@frozen
class Derivation:
    """How some facts of a kind come about."""

    kind: str
    facts: tuple[str, ...]
    """What it provides; each is marked `x-derived` in the kind."""
    apply: Callable[[Resource, World], Mapping[str, JSON | Gap]]
    """Fact → value or gap. Facts it leaves out are the gap `not_offered`."""
    needs: tuple[str, ...] = ()
    """Facts of the same resource that it reads (derived ones too)."""
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Native type → facts of it that it reads: what must be collected besides."""
    native_types: tuple[str, ...] = ()
    """The types it speaks of; empty for all of the kind."""
