"""Whether a cluster is shared by tenants."""

from __future__ import annotations

from scanner.derive.kubernetes.tenants import PLATFORM, tenant_of
from scanner.derive.kubernetes.types import NAMESPACE, from_manifests, unseen
from scanner.derive.three import Truth
from scanner.derive.world import World
from scanner.model import Gap, Resource

UNUSED = "default"
"""A namespace that every cluster has, whoever uses it: alone it makes no tenant."""


def several_tenants(near: Resource, world: World) -> Truth:
    """Whether more than one tenant has namespaces in the cluster of a resource."""
    return world.memo(f"kubernetes.several {near.scope} {from_manifests(near)}", lambda: _several(near, world))


def _several(near: Resource, world: World) -> Truth:
    spaces = [n for n in world.all("namespace", near.scope) if n.native_type == NAMESPACE]
    found = {tenant_of(n.name, near.scope, world) for n in spaces} - {PLATFORM, UNUSED}
    if sum(isinstance(t, str) for t in found) > 1:
        return True
    gap = next((t for t in found if isinstance(t, Gap)), None)
    return gap or unseen(world, near, NAMESPACE, "every namespace") or False
