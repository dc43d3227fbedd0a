"""Whether workloads in a Linkerd mesh take callers that prove nothing.

https://linkerd.io/2/reference/authorization-policy/
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.kubernetes.membership import CONFIG_MAP, NEEDS, READS, component, mesh_of, namespace_settings, picks
from scanner.derive.kubernetes.policies.labels import Labels, selects
from scanner.derive.kubernetes.types import POD_LIKE, from_manifests, namespace_of, unseen
from scanner.derive.three import Truth, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

SERVER = "policy.linkerd.io/v1beta3/Server"
POLICY = "policy.linkerd.io/v1alpha1/AuthorizationPolicy"
OLD_POLICY = "policy.linkerd.io/v1beta1/ServerAuthorization"
POLICIES: Mapping[str, tuple[str, ...]] = {
    SERVER: ("namespace", "selector", "port", "access_policy"),
    POLICY: ("namespace", "targets", "requires"),
    OLD_POLICY: ("namespace", "server", "selector", "unauthenticated"),
}
OPEN = frozenset({"all-unauthenticated", "cluster-unauthenticated", "audit"})
"""Policies that admit callers without an identity."""
IDENTITY = frozenset({"MeshTLSAuthentication", "ServiceAccount"})


@dataclass(slots=True)
class _Namespace:
    """The policies of one namespace: facts by name, with the tags of their resource."""

    servers: list[tuple[Resource, dict[str, Any]]] = field(default_factory=list)
    policies: list[dict[str, Any]] = field(default_factory=list)
    old: list[dict[str, Any]] = field(default_factory=list)
    gap: Gap | None = None


def _index(world: World) -> dict[tuple[str, str], _Namespace]:
    found: dict[tuple[str, str], _Namespace] = {}
    for resource in world.all("mesh_policy"):
        names = POLICIES.get(resource.native_type)
        if names is None:
            continue
        here = found.setdefault((resource.scope, namespace_of(resource)), _Namespace())
        facts: dict[str, Any] = {name: world.fact(resource, name) for name in names}
        gap = next((f for f in facts.values() if isinstance(f, Gap)), None)
        if gap is not None:
            here.gap = here.gap or gap
        elif resource.native_type == SERVER:
            here.servers.append((resource, facts))
        else:
            (here.policies if resource.native_type == POLICY else here.old).append(facts)
    return found


def _here(pod: Resource, world: World) -> _Namespace:
    return world.memo("mesh.linkerd", lambda: _index(world)).get((pod.scope, namespace_of(pod)), _Namespace())


def _word(pod: Resource, key: str, world: World) -> Any:
    """What the pod says, else its namespace."""
    for settings in (world.fact(pod, "mesh_settings"), namespace_settings(pod, world)):
        if isinstance(settings, Gap):
            return settings
        if settings[key]:
            return settings[key]
    return None


def inbound_policy(pod: Resource, world: World) -> str | Gap:
    """What happens to requests on ports without a Server: pod, then namespace, then the control plane's default."""
    said = _word(pod, "linkerd_policy", world)
    if said is not None:
        return said if isinstance(said, Gap) else str(said)
    defaults = {settings.get("default_inbound_policy") for _, settings in component(pod, "linkerd", world)}
    if len(defaults) == 1 and None not in defaults:
        return str(defaults.pop())
    return unseen(world, pod, CONFIG_MAP, "the configuration of the control plane (ConfigMap linkerd-config)") or Gap(
        Reason.NOT_OFFERED,
        "",
        "Write config.linkerd.io/default-inbound-policy.",
        "the control plane's default inbound policy is not known",
    )


def bypassed_ports(pod: Resource, world: World) -> list[str] | Gap:
    """Serving ports whose traffic goes past the proxy."""
    ranges = _word(pod, "linkerd_skipped", world)
    if ranges is None or isinstance(ranges, Gap):
        return ranges or []
    serving = world.fact(pod, "listens_on")
    if isinstance(serving, Gap):
        return serving
    ports = sorted({int(p["port"]) for p in serving})
    if not ports:
        return [str(first) if first == last else f"{first}-{last}" for first, last in ranges]
    return [str(p) for p in ports if any(first <= p <= last for first, last in ranges)]


def accepts_unauthenticated(pod: Resource, world: World) -> Truth:
    """Whether some port that a workload serves on takes callers that prove nothing."""
    here = _here(pod, world)
    serving = world.fact(pod, "listens_on")
    if isinstance(serving, Gap):
        return serving
    blind = here.gap
    if blind is None and not from_manifests(pod):
        blind = next((g for t in POLICIES if (g := world.listing(t, pod.scope, namespace_of(pod))) is not None), None)
    if blind is not None:
        return blind
    ports = [{str(p["port"]), str(p["name"])} for p in serving] or [{"*"}]
    default = inbound_policy(pod, world)
    return any_of(_port_open(pod, names, default, world) for names in ports)


def _port_open(pod: Resource, names: set[str], default: str | Gap, world: World) -> Truth:
    here = _here(pod, world)
    found: list[Truth] = []
    covered: list[Truth] = []
    for server, facts in here.servers:
        if facts["port"] not in names and names != {"*"}:
            continue
        picked = picks(facts["selector"], pod, world)
        covered.append(picked)
        if picked is not False:
            open_ = facts["access_policy"] in OPEN or _lets_in(server, here)
            found.append(picked if isinstance(picked, Gap) else open_)
    if any_of(found) is True:
        return True
    if any_of(covered) is True:
        return any_of(found)
    # NOTE: a Server that was not read may stand in front of the port; in manifests most do not
    unread = unseen(world, pod, SERVER, "a Server for it", namespace_of(pod)) if from_manifests(pod) else None
    without: Truth = default if isinstance(default, Gap) else default in OPEN and (unread or True)
    gap = any_of(covered)
    return gap if isinstance(gap, Gap) else without


def _lets_in(server: Resource, here: _Namespace) -> bool:
    """Whether some authorization for a Server asks for no identity."""
    for policy in here.policies:
        targeted = any(t["kind"] == "Namespace" or (t["kind"] == "Server" and t["name"] == server.name) for t in policy["targets"])
        if targeted and not IDENTITY & set(policy["requires"]):
            return True
    for old in here.old:
        named = old["server"] == server.name if old["server"] else selects(old["selector"], Labels(server.tags)) is True
        if named and old["unauthenticated"]:
            return True
    return False


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What Linkerd lets through to a workload."""
    mesh = mesh_of(pod, world)
    if isinstance(mesh, Gap):
        return dict.fromkeys(("linkerd_open", "linkerd_bypassed"), mesh)
    if mesh != "linkerd":
        return {"linkerd_open": False, "linkerd_bypassed": []}
    return {"linkerd_open": accepts_unauthenticated(pod, world), "linkerd_bypassed": bypassed_ports(pod, world)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        ("linkerd_open", "linkerd_bypassed"),
        of_workload,
        needs=(*NEEDS, "listens_on"),
        reads={**READS, **POLICIES},
        native_types=POD_LIKE,
    ),
)
