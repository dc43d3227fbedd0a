"""Secondary networks: which of them are the fabric, who uses them, and what keeps tenants and the front end apart on them.

NetworkPolicies never apply to interfaces that Multus adds, and RDMA passes the kernel of the machine altogether.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scanner.derive.kubernetes.fabric_index import (
    ATTACHMENT,
    NODE_POLICY,
    POLICY,
    POOLS,
    REQUESTS,
    Index,
    Use,
    index,
    is_fabric,
    made_from,
    name_of,
)
from scanner.derive.kubernetes.neighbours import Tenants, whose
from scanner.derive.kubernetes.policy_engine import DAEMON_SET
from scanner.derive.kubernetes.several import several_tenants
from scanner.derive.kubernetes.tenants import READS
from scanner.derive.kubernetes.types import NAMESPACE, POD_LIKE, from_manifests, namespace_of, unseen
from scanner.derive.three import Truth, any_of, is_true
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

NIC_CLUSTER_POLICY = "mellanox.com/v1alpha1/NicClusterPolicy"
LINK = ("namespace", "plugin", "master", "vlan", "pkey", "device", "rdma", "default_route", "address_pools")
ON_MASTER = frozenset({"macvlan", "ipvlan", "vlan"})
"""Plugins that split an interface of the node; without one the first two take that of the default route.

https://www.cni.dev/plugins/current/main/macvlan/ https://www.cni.dev/plugins/current/main/ipvlan/"""
APART = frozenset({"sriov", "ib-sriov", "host-device", "ipoib"})
"""Plugins of which the pod gets a device of its own, or one on InfiniBand."""
OPEN = "default"
"""Whatever Multus is told, everybody may use networks of this namespace, unless `globalNamespaces` says otherwise.

https://github.com/k8snetworkplumbingwg/multus-cni/blob/master/docs/configuration.md#namespace-isolation"""


def tag(network: Resource, world: World) -> tuple[int, str] | Gap:
    """(VLAN, partition) of a network; (0, "") for neither."""
    vlan, pkey = world.fact(network, "vlan"), world.fact(network, "pkey")
    if isinstance(vlan, Gap) or isinstance(pkey, Gap):
        return vlan if isinstance(vlan, Gap) else pkey if isinstance(pkey, Gap) else (0, "")
    return int(str(vlan)), str(pkey)


def users(network: Resource, world: World) -> tuple[Use, Tenants]:
    """Who attaches to a network; the gap says why there may be others, or whose some are."""
    own = index(network.scope, world)
    use = own.uses.get(name_of(network), Use())
    tenants = whose(use.namespaces, network.scope, world)
    if tenants.gap is None:
        tenants.gap = own.gap or all_seen(network, world)
    return use, tenants


def all_seen(network: Resource, world: World) -> Gap | None:
    """Why there may be workloads that were not seen."""

    def look() -> Gap | None:
        gaps = (unseen(world, network, native, "every workload that uses it") for native in POD_LIKE)
        return next((g for g in gaps if g is not None), None)

    return world.memo(f"kubernetes.fabric.seen {network.scope} {from_manifests(network)}", look)


# ---- the front end


def routes(network: Resource, use: Use, world: World) -> tuple[list[dict[str, JSON]], Gap | None]:
    """What leads the default route of pods through a network, and why there may be more."""
    found: list[dict[str, JSON]] = [{"how": "default_route", "what": i} for i in sorted(use.routed)]
    own = world.fact(network, "default_route")
    if own is True:
        found.append({"how": "default_route", "what": network.id})
    gap = own if isinstance(own, Gap) else None
    named: Any = world.fact(network, "address_pools")
    for name in () if isinstance(named, Gap) else named:
        pools = index(network.scope, world).pools.get(name, [])
        truth = any_of(is_true(world.fact(p, "default_route")) for p in pools)
        if truth is True:
            found.append({"how": "default_route", "what": pools[0].id})
        elif not pools:
            truth = unseen(world, network, POOLS[name.partition("/")[0]], f"the pool {name}") or False
        gap = gap or (truth if isinstance(truth, Gap) else None)
    return found, gap or (named if isinstance(named, Gap) else None)


def joined_by(network: Resource, world: World) -> tuple[list[dict[str, JSON]], Gap | None]:
    """How a network is joined with the front end, or open to everybody; and why there may be more."""
    use, tenants = users(network, world)
    found, gap = routes(network, use, world)
    plugin, master = world.fact(network, "plugin"), world.fact(network, "master")
    if plugin in ("macvlan", "ipvlan") and master == "":
        found.append({"how": "interface", "what": str(plugin)})
    mark = tag(network, world)
    untagged = mark == (0, "")
    others = sorted(use.namespaces - {OPEN})
    opened = namespace_of(network) == OPEN and (untagged or bool(others))
    if opened:
        found.append({"how": "open", "what": ", ".join(others)})
    if untagged and len(tenants.known) > 1:
        found.append({"how": "untagged", "what": ", ".join(sorted(tenants.known))})
    elif isinstance(mark, Gap):
        gap = gap or mark
    elif (untagged or namespace_of(network) == OPEN) and not opened:
        gap = gap or tenants.gap
    return found, gap


def interface_settled(network: Resource, world: World) -> bool | Gap:
    """True where the interface of a network is known not to be that of the node's default route, or to be it."""
    plugin, master = world.fact(network, "plugin"), world.fact(network, "master")
    if isinstance(plugin, Gap) or isinstance(master, Gap):
        return plugin if isinstance(plugin, Gap) else master if isinstance(master, Gap) else True
    if plugin in APART or (plugin in ON_MASTER and not master):
        return True
    return Gap(
        Reason.NOT_OFFERED,
        "",
        "Name interfaces that carry the fabric alone: params of network.k8s_fabric_separated, `fabric_interfaces`.",
        f"the cluster does not tell whether {master or 'its interface'} has the default route of the nodes",
    )


# ---- tenants


def unseparated(network: Resource, world: World) -> tuple[list[str], Gap | None]:
    """Tenants that a network puts together with nothing between them, and why there may be others."""
    use, tenants = users(network, world)
    if len(tenants.known) > 1:
        guarded = filtered(network, use, world)
        return ([] if guarded is True else sorted(tenants.known)) if not isinstance(guarded, Gap) else [], (
            guarded if isinstance(guarded, Gap) else tenants.gap
        )
    mark = tag(network, world)
    if isinstance(mark, Gap):
        return [], mark
    beside = _beside(network, mark, world)
    everyone = sorted(tenants.known | beside)
    if len(everyone) > 1:
        switches = Gap(
            Reason.NOT_OFFERED,
            "",
            "Give each tenant a VLAN or partition.",
            f"{', '.join(everyone)} have networks on the same device; whether the switches keep them apart is not in the cluster",
        )
        return (everyone, None) if mark != (0, "") else ([], switches)
    return [], tenants.gap or (_partitions(network, world) if mark[1] else None)


def _beside(network: Resource, mark: tuple[int, str], world: World) -> set[str]:
    """Tenants of other networks with the same tag on the same device."""
    groups = world.memo(f"kubernetes.fabric.groups {network.scope}", lambda: _groups(network.scope, world))
    own = _device(network, world)
    return groups.get((*own, *mark), set()) if own else set()


def _groups(scope: str, world: World) -> dict[tuple[str, str, int, str], set[str]]:
    known = index(scope, world)
    spaces: dict[tuple[str, str, int, str], set[str]] = {}
    for name in known.networks.keys() | known.requests.keys():
        network = known.requests.get(name) or known.networks[name]
        own, mark = _device(network, world), tag(network, world)
        if own and not isinstance(mark, Gap):
            spaces.setdefault((*own, *mark), set()).update(known.uses.get(name, Use()).namespaces)
    return {key: whose(names, scope, world).known for key, names in spaces.items()}


def _device(network: Resource, world: World) -> tuple[str, str] | None:
    """What a network is made on: a pool of devices, or an interface of the nodes."""
    for fact in ("device", "master"):
        value = world.fact(network, fact)
        if value and isinstance(value, str):
            return fact, value
    return None


def filtered(network: Resource, use: Use, world: World) -> Truth:
    """Whether MultiNetworkPolicies see the traffic of everybody on a network: they filter what passes the kernel, and RDMA does not.

    https://github.com/k8snetworkplumbingwg/sriov-network-device-plugin/issues/397
    """
    covered = index(network.scope, world).policies.get(name_of(network), set())
    if not use.namespaces <= covered:
        return unseen(world, network, POLICY, "a MultiNetworkPolicy for it") or False
    rdma = any_of(use.rdma)
    if rdma is not False:
        return rdma if isinstance(rdma, Gap) else False
    return True if from_manifests(network) else _enforced(network, world)


def _enforced(network: Resource, world: World) -> Truth:
    """Whether some agent enforces MultiNetworkPolicies."""

    def look() -> bool:
        for workload in world.all("workload", network.scope):
            agents: Any = world.fact(workload, "network_agents") if workload.native_type == DAEMON_SET else []
            if not isinstance(agents, Gap) and any(
                a["policies"] == "secondary" or a["product"] == "OVN-Kubernetes" for a in agents
            ):
                return True
        return False

    found = world.memo(f"kubernetes.fabric.agent {network.scope}", look)
    return found or world.listing(DAEMON_SET, network.scope) or False


def _partitions(network: Resource, world: World) -> Gap | None:
    """Why a partition may not be what it says: nothing in the cluster puts pods into partitions."""
    managed = any_of(
        is_true(world.fact(o, "manages_partitions"))
        for o in world.all("operator", network.scope)
        if o.native_type == NIC_CLUSTER_POLICY
    )
    if managed is True:
        return None
    missing = unseen(world, network, NIC_CLUSTER_POLICY, "ib-kubernetes")
    outside = Gap(
        Reason.NOT_OFFERED,
        "",
        "Run ib-kubernetes, or look at the fabric manager.",
        "nothing in the cluster puts pods into partitions; the fabric manager may",
    )
    return (managed if isinstance(managed, Gap) else None) or missing or outside


# ---- facts


def of_network(network: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The derived facts of a network."""
    joined, more = joined_by(network, world)
    together, others = unseparated(network, world)
    return {
        "made_from": made_from(network, world),
        "fabric": is_fabric(network, world),
        "several_tenants": several_tenants(network, world),
        "joined_by": list(joined),
        "joined_by_settled": more or True,
        "interface_settled": interface_settled(network, world),
        "unseparated": list(together),
        "unseparated_settled": others or True,
    }


def of_workload(workload: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Which networks of the fabric a workload is attached to."""
    attached: Any = world.fact(workload, "attachments")
    if isinstance(attached, Gap):
        return dict.fromkeys(("fabric_networks", "fabric_networks_settled"), attached)
    own = index(workload.scope, world) if attached else Index()
    found: list[JSON] = []
    gap: Gap | None = None
    for name in [a["network"] for a in attached]:
        network = own.requests.get(name) or own.networks.get(name)
        truth = is_fabric(network, world) if network else _missing(workload, name, world)
        gap = gap or (truth if isinstance(truth, Gap) else None)
        found += [name] if truth is True else []
    return {"fabric_networks": found, "fabric_networks_settled": gap or True}


def _missing(workload: Resource, name: str, world: World) -> Truth:
    """A network that was not seen; where it is surely not there, nothing attaches to it."""
    types: Iterable[str] = (ATTACHMENT, *REQUESTS)
    gaps = (unseen(world, workload, native, f"the network {name}", name.partition("/")[0]) for native in types)
    return next((g for g in gaps if g is not None), False)


NETWORK_READS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((ATTACHMENT, *REQUESTS), LINK),
    NODE_POLICY: ("device", "rdma"),
    NAMESPACE: ("owner",),
    **dict.fromkeys(POD_LIKE, ("attachments", "namespace", "rdma", "finished")),
}
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "fabric_network",
        (
            *("made_from", "fabric", "several_tenants", "joined_by", "joined_by_settled", "interface_settled"),
            *("unseparated", "unseparated_settled"),
        ),
        of_network,
        needs=LINK,
        reads={
            **NETWORK_READS,
            **READS,
            POLICY: ("policy_for", "namespace"),
            **dict.fromkeys(POOLS.values(), ("default_route",)),
            NIC_CLUSTER_POLICY: ("manages_partitions",),
            DAEMON_SET: (*NETWORK_READS[DAEMON_SET], "network_agents"),
        },
        native_types=(ATTACHMENT, *REQUESTS),
    ),
    Derivation(
        "workload",
        ("fabric_networks", "fabric_networks_settled"),
        of_workload,
        needs=("attachments", "namespace", "rdma", "finished"),
        reads=NETWORK_READS,
        native_types=POD_LIKE,
    ),
)
