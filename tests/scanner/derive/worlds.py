"""A `World` in memory, for tests of derivations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scanner.derive.world import Derivation
from scanner.model import JSON, Gap, Reason, Resource

DENIED = Gap(Reason.DENIED, "ec2:DescribeThings", "Grant ec2:DescribeThings.")
MISSING = object()


class MemoryWorld:
    """`gaps` maps native types to why they could not be listed; every other type was listed completely."""

    def __init__(
        self,
        resources: Iterable[Resource],
        gaps: Mapping[str, Gap] | None = None,
        derivations: Sequence[Derivation] = (),
        settings: Mapping[str, JSON] | None = None,
    ) -> None:
        self.resources = {(r.kind, r.id): r for r in sorted(resources, key=lambda r: (r.kind, r.id))}
        self.gaps = gaps or {}
        self.derivations = tuple(derivations)
        self._settings = settings or {}
        self._memo: dict[str, Any] = {}
        self.reads = 0
        """Resources handed out by `all`: derivations must not walk a kind once a resource."""

    def get(self, kind: str, id: str) -> Resource | None:  # noqa: A002 - the protocol's name
        return self.resources.get((kind, id))

    def all(self, kind: str, scope: str = "") -> Iterable[Resource]:
        for resource in self.resources.values():
            if resource.kind == kind and scope in ("", resource.scope):
                self.reads += 1
                yield resource

    def listing(self, native_type: str, scope: str, region: str = "") -> Gap | None:
        return self.gaps.get(native_type)

    def fact(self, resource: Resource, name: str) -> JSON | Gap:
        if name in resource.gaps:
            return resource.gaps[name]
        if name in resource.facts:
            return resource.facts[name]
        for derivation in self.derivations:
            speaks = not derivation.native_types or resource.native_type in derivation.native_types
            if derivation.kind == resource.kind and name in derivation.facts and speaks:
                found = derivation.apply(resource, self)
                if name in found:
                    return found[name]
        return Gap(Reason.NOT_OFFERED, "", f"This source does not tell {name}.")

    def memo(self, key: str, build: Callable[[], Any]) -> Any:
        if key not in self._memo:
            self._memo[key] = build()
        return self._memo[key]

    def settings(self) -> Mapping[str, JSON]:
        return self._settings
