"""Model servers, notebooks and the tools around them: who may use them, and what their versions lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scanner.derive.kubernetes import exposure, floors, network
from scanner.derive.kubernetes.authorisation import AUTHORISED, WORKLOAD_FACTS, authorised, gateway_asks
from scanner.derive.kubernetes.types import POD_LIKE
from scanner.derive.three import Truth
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

WRITTEN = "Write its arguments and settings into the pod spec."


INSIDE = "other namespaces"
"""The way from pods of the cluster."""
VIRTUAL = "/VirtualService.networking.istio.io/"


# ---- who reaches a server unasked


def _proxied(pod: Resource, world: World) -> frozenset[int] | Gap:
    """Ports of a pod behind which an authenticating proxy stands."""
    found: Any = world.fact(pod, "proxies")
    return found if isinstance(found, Gap) else frozenset(port for proxy in found for port in proxy["ports"])


def doors(pod: Resource, world: World) -> tuple[list[dict[str, JSON]], Gap | None]:
    """Ways to the servers of a workload on which nobody is asked who he is, and why there may be more."""
    servers: Any = world.fact(pod, "servers")
    if isinstance(servers, Gap):
        return [], servers
    found: list[dict[str, JSON]] = []
    gaps: list[Gap] = []
    open_ = [s for s in servers if s["listens"] != "loopback"]
    if not open_:
        return [], None
    # NOTE: that a gateway passes callers on says nothing of who they are
    within, without = authorised(pod, world), authorised(pod, world, outside=True)
    if within is True and without is True:
        return [], None
    for server in open_:
        # NOTE: where the mesh is not known to let everyone in, a way is none for certain
        for way in _ways(server, pod, world, gaps):
            guarded = within if way["way"] == INSIDE else without
            if guarded is True:
                continue
            if server["listens"] == "unknown":
                gaps.append(_hidden(server, "where it listens"))
            elif isinstance(guarded, Gap):
                gaps.append(guarded)
            else:
                found.append(_door(server, way))
        gaps += _untold(server)
    return found, next(iter(gaps), None)


def _untold(server: Mapping[str, Any]) -> Iterator[Gap]:
    """What is not known of who may use a server."""
    if server["auth"] == "unknown":
        yield _hidden(server, "whether it asks for a key")
    if server["product"] == "vllm" and "dev_mode" not in server:
        yield _hidden(server, "whether it has its development endpoints")


def _hidden(server: Mapping[str, Any], what: str) -> Gap:
    return Gap(
        Reason.NOT_OFFERED, "", WRITTEN, f"{what} is not told by the command line of {server['product']} in {server['container']}"
    )


def _ways(server: Mapping[str, Any], pod: Resource, world: World, gaps: list[Gap]) -> Iterator[Mapping[str, Any]]:
    """The ways to a server on which nobody asks who comes; what may be one goes to `gaps`."""
    outside, unsettled = world.memo(f"kubernetes.ways {pod.id}", lambda: exposure.ways_to(pod, world))
    ports = set(server["ports"])
    for way in outside:
        told = bool(ports and way["ports"])
        reached = ports & set(way["ports"]) if told else ports or set(way["ports"])
        if told and not reached:
            continue
        asked: Truth = _asks(way, reached, pod, world)
        if asked is False and not ports and way["ports"]:
            asked = _hidden(server, "its port")
        if isinstance(asked, Gap):
            gaps.append(asked)
        elif not asked:
            yield way
    if unsettled is not None:
        gaps.append(unsettled)
    for port in sorted(ports) or [0]:
        truth = network.port_open_across_namespaces(pod, port, world) if port else HIDDEN_PORT
        if truth is True:
            yield {"way": INSIDE, "through": "", "internet": "no", "paths": [exposure.EVERYTHING]}
            return
        if isinstance(truth, Gap):
            gaps.append(truth)


HIDDEN_PORT = Gap(Reason.NOT_OFFERED, "", WRITTEN, "the port of a server is not told")


def _asks(way: Mapping[str, Any], reached: set[int], pod: Resource, world: World) -> Truth:
    """Whether callers are asked who they are on a way, before they come to a server."""
    if way["authenticated"] == "yes":
        return True
    proxied = _proxied(pod, world)
    if not isinstance(proxied, Gap) and reached and reached <= proxied:
        return True
    if way["authenticated"] == "unknown":
        return Gap(Reason.NOT_OFFERED, "", "Look at what it is told to do.", f"{way['through']} may ask who a caller is")
    return gateway_asks(pod, world) if VIRTUAL in way["through"] else False


def _door(server: Mapping[str, Any], way: Mapping[str, Any]) -> dict[str, JSON]:
    return {
        "container": server["container"],
        "product": server["product"],
        "auth": server["auth"],
        "way": way["way"],
        "through": way["through"],
        "internet": way["internet"],
        "paths": way["paths"],
        "dev_mode": server.get("dev_mode") is True,
    }


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Who reaches the servers of a workload."""
    found, gap = doors(pod, world)
    return {"server_doors": list(found), "server_doors_settled": gap or True, "mesh_guarded": authorised(pod, world)}


# ---- settings, and what versions lack

SETTINGS: Mapping[str, str] = {"auth": "whether it asks for a key", "model_control": "its model control mode"}


def settled(pod: Resource, world: World) -> Truth:
    """True where every setting of a workload's servers is known."""
    servers: Any = world.fact(pod, "servers")
    if isinstance(servers, Gap):
        return servers
    for server in servers:
        for name, what in SETTINGS.items():
            if server.get(name) == "unknown":
                return _hidden(server, what)
        if server["auth"] == "none" and server["listens"] == "unknown":
            return _hidden(server, "where it listens")
        if server.get("model_control") == "explicit" and server.get("restrictions_known") is False:
            return _hidden(server, "what its restrictions cover")
        if server.get("model_control") == "poll" and server.get("repository") == "unknown":
            return _hidden(server, "whether its model repository can be written")
    return True


JUDGED = ("vllm", "triton", "ollama", "dcgm-exporter")
"""Products with a table of floors."""
TABLES: Mapping[str, str] = {"dcgm-exporter": "nvidia-dcgm-exporter"}
TRUSTING = "vllm --trust-remote-code"
"""Floors that matter only to servers that run the code of their models."""


def advisories(pod: Resource, world: World) -> tuple[list[JSON] | Gap, Truth]:
    """What the versions of a workload's servers lack, and whether all versions are known."""
    servers: Any = world.fact(pod, "servers")
    if isinstance(servers, Gap):
        return servers, servers
    found: list[JSON] = []
    whole: Truth = True
    for server in servers:
        if server["product"] not in JUDGED:
            continue
        names = [TABLES.get(server["product"], server["product"])] + ([TRUSTING] if server.get("trust_remote_code") else [])
        trusts = server["product"] != "vllm" or "trust_remote_code" in server
        if not server["version"]:
            whole = Gap(
                Reason.NOT_OFFERED,
                "",
                "Run a released image by its tag, or look the version up by hand.",
                f"the image of {server['container']} does not tell its version of {server['product']}",
            )
            continue
        for name in names:
            lacking = floors.below(name, server["version"])
            if isinstance(lacking, Gap):
                whole = lacking
            elif lacking is not None:
                found.append(lacking_of(server["container"], server["product"], server["version"], "image", lacking))
        if not trusts and isinstance(floors.below(TRUSTING, server["version"]), floors.Floor):
            whole = _hidden(server, "whether it trusts remote code")
    return found, whole


def lacking_of(container: str, product: str, version: str, told_by: str, floor: floors.Floor) -> JSON:
    """One advisory."""
    return {
        "container": container,
        "product": product,
        "version": version,
        "told_by": told_by,
        "fixed": floor.fixed,
        "ids": list(floor.ids),
        "source": floor.source,
    }


def versions_of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Settings and versions of the servers of a workload."""
    found, whole = advisories(pod, world)
    return {"servers_settled": settled(pod, world), "advisories": found, "advisories_settled": whole}


def joined(*reads: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """What several derivations read, as one."""
    types = dict.fromkeys(native for one in reads for native in one)
    return {native: tuple(dict.fromkeys(fact for one in reads for fact in one.get(native, ()))) for native in types}


REACH = tuple(dict.fromkeys(("servers", "proxies", "external_host", *network.NEEDS, *WORKLOAD_FACTS)))
READS: Mapping[str, tuple[str, ...]] = joined(
    network.READS, exposure.READS, AUTHORISED, dict.fromkeys(POD_LIKE, ("namespace", "mesh_sidecar", "pod_labels"))
)
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        ("server_doors", "server_doors_settled", "mesh_guarded"),
        of_workload,
        needs=REACH,
        reads=READS,
        native_types=POD_LIKE,
    ),
    Derivation(
        "workload",
        ("servers_settled", "advisories", "advisories_settled"),
        versions_of_workload,
        needs=("servers",),
        native_types=POD_LIKE,
    ),
)
