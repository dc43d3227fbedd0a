"""Gateways: which listeners serve in clear, and whose objects a grant lets use Secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.kubernetes.policies.labels import Labels, selects
from scanner.derive.kubernetes.several import several_tenants
from scanner.derive.kubernetes.tenants import PLATFORM, READS, tenant_of
from scanner.derive.kubernetes.types import NAMESPACE, namespace_of, object_id, unseen
from scanner.derive.three import Truth, all_of, is_true
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Resource

API = "gateway.networking.k8s.io"
GATEWAY, ISTIO_GATEWAY = f"{API}/v1/Gateway", "networking.istio.io/v1/Gateway"
GRANT = f"{API}/v1beta1/ReferenceGrant"
VIRTUAL = "networking.istio.io/v1/VirtualService"
CARRIED: Mapping[str, tuple[str, ...]] = {
    "HTTP": (f"{API}/v1/HTTPRoute", f"{API}/v1/GRPCRoute"),
    "TCP": (f"{API}/v1alpha2/TCPRoute",),
}
"""Protocols of listeners without TLS → the routes that they carry."""
HTTP = frozenset({"HTTP", "HTTP2", "GRPC", "GRPC-WEB"})
"""Protocols of Istio's servers that know no TLS, but may redirect to it."""
STREAMS = frozenset({"TCP", "MONGO", "MYSQL", "REDIS"})
"""Those that may carry TLS, as a setting of their own."""
ROUTES = tuple(native for natives in CARRIED.values() for native in natives)
ROUTE_FACTS = ("namespace", "parents", "serves")


@dataclass(slots=True)
class Routes:
    """The routes of a cluster, by the gateway that they ask to be attached to."""

    by_gateway: dict[tuple[str, str], list[tuple[Resource, Mapping[str, Any]]]] = field(default_factory=dict)
    gap: Gap | None = None
    """Why there may be more."""


def routes(scope: str, world: World, natives: Sequence[str]) -> Routes:
    """The index, made once a cluster."""

    def build() -> Routes:
        found = Routes()
        for route in world.all("endpoint", scope):
            parents: Any = world.fact(route, "parents") if route.native_type in natives else []
            if isinstance(parents, Gap):
                found.gap = found.gap or parents
                continue
            for parent in parents:
                found.by_gateway.setdefault((parent["namespace"], parent["name"]), []).append((route, parent))
        return found

    return world.memo(f"kubernetes.routes {scope} {natives[0]}", build)


# ---- Gateway API


def overlap(listener: str, hosts: Sequence[str]) -> bool:
    """Whether a listener takes requests for one of the hosts of a route.

    https://gateway-api.sigs.k8s.io/reference/spec/#gateway.networking.k8s.io/v1.Hostname
    """
    return not listener or not hosts or any(_meet(listener.lower(), host) for host in hosts)


def _meet(one: str, other: str) -> bool:
    if one.startswith("*.") and other.startswith("*."):
        return one.endswith(other[1:]) or other.endswith(one[1:])
    if one.startswith("*.") or other.startswith("*."):
        wild, plain = (one, other) if one.startswith("*.") else (other, one)
        return plain.endswith(wild[1:])
    return one == other


def allowed(listener: Mapping[str, Any], route: Resource, gateway: Resource, world: World) -> Truth:
    """Whether a listener lets routes of a namespace attach."""
    place, chosen = namespace_of(route), listener["from"]
    if chosen == "Same":
        return place == namespace_of(gateway)
    if chosen != "Selector":
        return bool(chosen == "All")
    found = world.get("namespace", object_id(gateway.scope, "Namespace", "", place))
    if found is None:
        return unseen(world, gateway, NAMESPACE, f"the namespace {place}") or False
    return selects(listener["selector"], Labels({**found.tags, "kubernetes.io/metadata.name": place}))


def attached(gateway: Resource, listener: Mapping[str, Any], world: World) -> Iterator[tuple[Resource, Truth]]:
    """Routes that a listener without TLS carries, and whether each serves something by it."""
    known = routes(gateway.scope, world, ROUTES)
    for route, parent in known.by_gateway.get((namespace_of(gateway), gateway.name), ()):
        kind = route.native_type.rpartition("/")[2]
        hosts: Any = world.fact(route, "hostnames")
        if (
            route.native_type not in CARRIED[listener["protocol"]]
            or (listener["kinds"] and kind not in listener["kinds"])
            or parent["section"] not in ("", listener["name"])
            or parent["port"] not in (0, listener["port"])
            or (not isinstance(hosts, Gap) and not overlap(listener["hostname"], hosts))
        ):
            continue
        yield route, all_of([allowed(listener, route, gateway, world), is_true(world.fact(route, "serves"))])


def of_gateway(gateway: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Listeners of a Gateway that serve in clear."""
    listeners: Any = world.fact(gateway, "gateway_listeners")
    if isinstance(listeners, Gap):
        return _told([], listeners, gateway, world)
    found: list[JSON] = []
    gap: Gap | None = None
    for listener in listeners:
        if listener["protocol"] not in CARRIED:
            continue
        truths = [*attached(gateway, listener, world)]
        clear = [route for route, truth in truths if truth is True]
        if clear:
            found.append(_listener(listener, clear[0].id))
            continue
        natives = CARRIED[listener["protocol"]]
        missing = (unseen(world, gateway, n, "every route that is attached to it") for n in natives)
        gaps = (*(t for _, t in truths if isinstance(t, Gap)), *(g for g in missing if g is not None))
        gap = gap or next(iter(gaps), None) or routes(gateway.scope, world, ROUTES).gap
    return _told(found, gap, gateway, world)


def _listener(listener: Mapping[str, Any], through: str) -> dict[str, JSON]:
    return {"name": listener["name"], "port": listener["port"], "protocol": listener["protocol"], "through": through}


def _told(found: list[JSON], gap: Gap | None, gateway: Resource, world: World) -> Mapping[str, JSON | Gap]:
    return {
        "clear_listeners": found,
        "clear_listeners_settled": gap or True,
        "several_tenants": several_tenants(gateway, world),
    }


# ---- Istio


def of_istio_gateway(gateway: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Servers of an Istio Gateway that serve in clear: those without TLS, unless all that is bound to them redirects to it."""
    servers: Any = world.fact(gateway, "gateway_listeners")
    if isinstance(servers, Gap):
        return _told([], servers, gateway, world)
    found: list[JSON] = []
    gap: Gap | None = None
    for server in servers:
        if server["protocol"] in STREAMS and not server["tls"]:
            found.append(_listener(server, ""))
        elif server["protocol"] in HTTP and not server["redirects"]:
            through = _bound(gateway, world)
            if isinstance(through, Gap):
                gap = gap or through
            elif through is not None:
                found.append(_listener(server, through))
    return _told(found, gap, gateway, world)


def _bound(gateway: Resource, world: World) -> str | Gap | None:
    """The VirtualService by which a Gateway serves, empty where none is bound to it; None where all of them redirect."""
    known = routes(gateway.scope, world, (VIRTUAL,))
    bound = [r for r, _ in known.by_gateway.get((namespace_of(gateway), gateway.name), ())]
    truths = [(r.id, is_true(world.fact(r, "serves"))) for r in bound]
    serving = next((i for i, truth in truths if truth is True), None)
    if serving is not None or not bound:
        return serving or ""
    gaps = (*(t for _, t in truths if isinstance(t, Gap)), known.gap, unseen(world, gateway, VIRTUAL, "every VirtualService of it"))
    return next((g for g in gaps if g is not None), None)


# ---- grants


def of_grant(grant: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Namespaces of other tenants whose objects may use every Secret of a grant's namespace."""
    to, sources = world.fact(grant, "grants_to"), world.fact(grant, "grants_from")
    if isinstance(to, Gap) or isinstance(sources, Gap):
        return dict.fromkeys(("foreign_readers", "foreign_readers_settled"), to if isinstance(to, Gap) else sources)
    everything = any(t["kind"] == "Secret" and not t["name"] for t in _entries(to))
    names = sorted({str(s["namespace"]) for s in _entries(sources)} - {namespace_of(grant)}) if everything else []
    own = tenant_of(namespace_of(grant), grant.scope, world) if names else PLATFORM
    found: list[JSON] = []
    gap: Gap | None = None
    for name in names:
        tenant = tenant_of(name, grant.scope, world)
        if isinstance(tenant, Gap) or (isinstance(own, Gap) and tenant != PLATFORM):
            gap = gap or (tenant if isinstance(tenant, Gap) else own if isinstance(own, Gap) else None)
        elif tenant not in (PLATFORM, own):
            found.append({"namespace": name, "tenant": tenant})
    return {"foreign_readers": found, "foreign_readers_settled": gap or True}


def _entries(value: Any) -> Sequence[Mapping[str, Any]]:
    return value if isinstance(value, list) else ()


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "endpoint",
        ("clear_listeners", "clear_listeners_settled", "several_tenants"),
        of_gateway,
        needs=("gateway_listeners", "namespace"),
        reads={**dict.fromkeys(ROUTES, (*ROUTE_FACTS, "hostnames")), **READS},
        native_types=(GATEWAY,),
    ),
    Derivation(
        "endpoint",
        ("clear_listeners", "clear_listeners_settled", "several_tenants"),
        of_istio_gateway,
        needs=("gateway_listeners", "namespace"),
        reads={VIRTUAL: ROUTE_FACTS, **READS},
        native_types=(ISTIO_GATEWAY,),
    ),
    Derivation(
        "endpoint",
        ("foreign_readers", "foreign_readers_settled"),
        of_grant,
        needs=("grants_to", "grants_from", "namespace"),
        reads=READS,
        native_types=(GRANT,),
    ),
)
