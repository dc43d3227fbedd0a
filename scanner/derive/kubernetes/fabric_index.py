"""The networks of a cluster beside its own, who attaches to them, and which are of the fabric."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scanner.derive.kubernetes.types import POD_LIKE, from_manifests, namespace_of
from scanner.derive.three import Truth, is_true
from scanner.derive.words import EXPLICIT, by_name, plain
from scanner.derive.world import World
from scanner.derive.zones import zone_of
from scanner.model import Gap, Reason, Resource

ATTACHMENT = "k8s.cni.cncf.io/v1/NetworkAttachmentDefinition"
REQUESTS = (
    "mellanox.com/v1alpha1/MacvlanNetwork",
    "mellanox.com/v1alpha1/HostDeviceNetwork",
    "mellanox.com/v1alpha1/IPoIBNetwork",
    "sriovnetwork.openshift.io/v1/SriovNetwork",
    "sriovnetwork.openshift.io/v1/SriovIBNetwork",
)
"""Types of which an operator makes definitions of the same name."""
NODE_POLICY = "sriovnetwork.openshift.io/v1/SriovNetworkNodePolicy"
POLICY = "k8s.cni.cncf.io/v1beta2/MultiNetworkPolicy"
POOLS = {kind: f"nv-ipam.nvidia.com/v1alpha1/{kind}" for kind in ("IPPool", "CIDRPool")}
REMEDY = "Label it: `ai-role: fabric`, or what else it is for."


@dataclass(slots=True)
class Use:
    """Who attaches to a network."""

    namespaces: set[str] = field(default_factory=set)
    rdma: list[Truth] = field(default_factory=list)
    """Of each workload whether it asks for RDMA devices."""
    alone: bool = False
    """Some workload with RDMA devices attaches to this network only."""
    routed: set[str] = field(default_factory=set)
    """Ids of workloads that want their default route to go through it."""


@dataclass(slots=True)
class Index:
    """The networks of a cluster, by `namespace/name`."""

    networks: dict[str, Resource] = field(default_factory=dict)
    requests: dict[str, Resource] = field(default_factory=dict)
    uses: dict[str, Use] = field(default_factory=dict)
    policies: dict[str, set[str]] = field(default_factory=dict)
    """Network → namespaces whose pods have a MultiNetworkPolicy for it."""
    rdma_devices: set[str] = field(default_factory=set)
    pools: dict[str, list[Resource]] = field(default_factory=dict)
    """`Kind/name` → pools of addresses."""
    gap: Gap | None = None
    """Why there may be more users."""


def index(scope: str, world: World) -> Index:
    """The index, made once a cluster."""
    return world.memo(f"kubernetes.fabric {scope}", lambda: _index(scope, world))


def _index(scope: str, world: World) -> Index:
    found = Index()
    for resource in world.all("fabric_network", scope):
        name = f"{namespace_of(resource)}/{resource.name}"
        if resource.native_type == ATTACHMENT:
            found.networks[name] = resource
        elif resource.native_type in REQUESTS:
            found.requests[name] = resource
        elif resource.native_type == NODE_POLICY and world.fact(resource, "rdma") == "yes":
            found.rdma_devices.add(str(world.fact(resource, "device")))
        elif resource.native_type == POLICY:
            wanted: Any = world.fact(resource, "policy_for")
            for network in () if isinstance(wanted, Gap) else wanted:
                found.policies.setdefault(network, set()).add(namespace_of(resource))
        elif resource.native_type in POOLS.values():
            kind = resource.native_type.rpartition("/")[2]
            found.pools.setdefault(f"{kind}/{resource.name}", []).append(resource)
    for workload in world.all("workload", scope):
        if workload.native_type in POD_LIKE and workload.facts.get("finished") is not True:
            _use(workload, found, world)
    return found


def _use(workload: Resource, found: Index, world: World) -> None:
    attached: Any = world.fact(workload, "attachments")
    if isinstance(attached, Gap):
        found.gap = found.gap or attached
        return
    rdma = is_true(world.fact(workload, "rdma")) if attached else False
    for one in attached:
        use = found.uses.setdefault(one["network"], Use())
        use.namespaces.add(namespace_of(workload))
        use.rdma.append(rdma)
        use.alone = use.alone or (rdma is True and len(attached) == 1)
        if one["default_route"]:
            use.routed.add(workload.id)


def name_of(network: Resource) -> str:
    """`namespace/name`, as pods call it."""
    return f"{namespace_of(network)}/{network.name}"


def made_from(network: Resource, world: World) -> str | Gap:
    """The object of which an operator makes a definition; empty for none. In manifests a definition stands for itself."""
    if network.native_type != ATTACHMENT:
        return ""
    found = index(network.scope, world).requests.get(name_of(network))
    if found is not None or from_manifests(network):
        return found.id if found else ""
    gaps = (world.listing(native, network.scope) for native in REQUESTS)
    return next((g for g in gaps if g is not None), "")


def is_fabric(network: Resource, world: World) -> Truth:
    """Whether a network is of the fabric: what its label or zone says, then what it is made of, then who uses it how."""
    said = plain(by_name(network.tags).get(EXPLICIT, ""))
    zone = zone_of(network, world)
    if said or (zone is not None and zone.ai_role == "fabric"):
        return said in ("", "fabric")
    own = index(network.scope, world)
    use = own.uses.get(name_of(network), Use())
    if use.alone or (network.facts.get("device") or "") in own.rdma_devices:
        return True
    rdma = world.fact(network, "rdma")
    if isinstance(rdma, Gap):
        return rdma
    nothing = Gap(Reason.NOT_OFFERED, "", REMEDY, f"nothing says whether {name_of(network)} is of the fabric")
    return {"yes": True, "no": False}.get(str(rdma), nothing)
