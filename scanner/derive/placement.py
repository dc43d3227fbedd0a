"""Where the nodes are: one pass over them, so that networks, subnets, firewalls and volumes can each be asked in constant time.

The machines of HyperPod clusters are nodes that no listing of machines shows: they count in the subnets and security groups that their
instance groups name. Other managed services have machines of the provider's, so where they stand says only what a place is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scanner.derive.three import Truth, any_of, is_true
from scanner.derive.world import World
from scanner.model import Gap, Reason, Resource

NODE, TEMPLATE = "AWS::EC2::Instance", "AWS::EC2::LaunchTemplate"
PLACES = {"network": "network_id", "subnet": "subnet_ids", "firewall": "firewall_ids", "data_store": "volume_ids"}
"""Kind → the fact of a node that names resources of that kind."""
CLUSTER = "AWS::SageMaker::Cluster"
READS = {NODE: ("accelerator", "network_id", "subnet_ids"), "AWS::EC2::Subnet": ("network_id",), CLUSTER: ("instance_groups",)}
"""What must be collected for the questions about networks and subnets."""
NOT_THERE = (Reason.NOT_OFFERED, Reason.SERVICE_OFF, Reason.REGION_OFF)
"""Where nobody asked for clusters, or there are none to be had, they hide no machines."""
ACCELERATED = re.compile(r"^(?:ml\.)?(?:p|g|gr|trn|inf|dl|vt)\d")
"""Sizes with accelerators: https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html"""
SERVICES = {
    **dict.fromkeys(("notebook", "ray", "training_job", "processing_job", "domain", "cluster", "custom_model"), "training"),
    **dict.fromkeys(("endpoint", "endpoint_config", "model", "monitoring", "guardrail", "agent", "agent_runtime"), "inference"),
    "data_source": "data",
}
"""Type of a managed service → the part of the factory it is."""

INFERENCE = ("g", "inf", "vt")
"""Starts of instance families sold for serving; other accelerators are for training: https://aws.amazon.com/ec2/instance-types/"""


@dataclass(slots=True)
class Placed:
    """What is known of the nodes in one place."""

    accelerators: Truth = False
    efa: Truth = False
    roles: set[str] = field(default_factory=set)
    """`training`, `inference`: of its accelerator nodes."""


@dataclass(slots=True)
class Nodes:
    """All nodes by place."""

    at: dict[tuple[str, str], Placed] = field(default_factory=dict)
    """(kind, id) → its nodes."""
    lost: dict[tuple[str, str, str], Gap] = field(default_factory=dict)
    """(kind, scope, question) → why some node's place is unknown, though it would answer the question with yes."""


def nodes(world: World) -> Nodes:
    """The index, made once a world."""
    return world.memo("placement.nodes", lambda: _index(world))


def _index(world: World) -> Nodes:
    found = Nodes()
    for node in world.all("node"):
        if node.native_type in (NODE, TEMPLATE):
            # NOTE: what a template starts is a node of its own, but in a plan of a node group it is all that is seen
            _adapters(found, node, is_true(world.fact(node, "efa")), world)
        if node.native_type == NODE:
            _node(found, node, is_true(world.fact(node, "accelerator")), world)
    for cluster in world.all("model_service"):
        if cluster.native_type == CLUSTER:
            _machines(found, cluster, world)
    return found


def _node(found: Nodes, node: Resource, accelerators: Truth, world: World) -> None:
    """A node in every place where it is."""
    for kind, fact in PLACES.items():
        ids, gap = _places(node, fact, world)
        for place in ids:
            placed = found.at.setdefault((kind, place), Placed())
            placed.accelerators = any_of((placed.accelerators, accelerators))
            if accelerators is True:
                placed.roles.add(role_of(node))
        if gap is not None:
            for question, truth in (("nodes", True), ("accelerators", accelerators)):
                if truth is not False:
                    found.lost.setdefault((kind, node.scope, question), gap)


def _machines(found: Nodes, cluster: Resource, world: World) -> None:
    """The machines of a HyperPod cluster, group by group."""
    groups = world.fact(cluster, "instance_groups")
    if isinstance(groups, Gap):
        for kind in ("network", "subnet", "firewall"):
            for question in ("nodes", "accelerators"):
                found.lost.setdefault((kind, cluster.scope, question), groups)
        return
    for group in groups:
        subnets = (world.get("subnet", str(i)) for i in group["subnet_ids"])
        networks = [str(n) for s in subnets if s is not None and (n := s.facts.get("network_id"))]
        places = {"network": networks, "subnet": group["subnet_ids"], "firewall": group["firewall_ids"]}
        for kind, ids in places.items():
            for place in ids:
                placed = found.at.setdefault((kind, str(place)), Placed())
                accelerated = any(ACCELERATED.match(str(size)) for size in group["instance_types"])
                placed.accelerators = any_of((placed.accelerators, accelerated))


def _adapters(found: Nodes, node: Resource, efa: Truth, world: World) -> None:
    """The firewalls of a node's EFA interfaces; its other interfaces may have others."""
    if efa is False:
        return
    ids, gap = _places(node, "efa_firewall_ids", world)
    for place in ids:
        found.at.setdefault(("firewall", place), Placed()).efa = True
    if gap is not None:
        found.lost.setdefault(("firewall", node.scope, "efa"), gap)


def _places(node: Resource, fact: str, world: World) -> tuple[list[str], Gap | None]:
    """Where a node is, as far as it is known, and why not all of it is."""
    seen = node.facts.get(fact)
    ids = [str(i) for i in (seen if isinstance(seen, list) else [seen] if seen else [])]
    value = world.fact(node, fact)
    gap = value if isinstance(value, Gap) else None
    if fact == "network_id" and not ids:
        # NOTE: a plan names a node's subnets, not its network
        networks = list(_networks(node, world))
        ids = [n for n in networks if isinstance(n, str)]
        gap = None if ids else next((n for n in networks if isinstance(n, Gap)), gap)
    return ids, gap


def services(world: World) -> Mapping[tuple[str, str], set[str]]:
    """(kind, id) of networks, subnets and security groups → roles of the managed services that stand in them; made once a world."""
    return world.memo("placement.services", lambda: _services(world))


def _services(world: World) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for service in world.all("model_service"):
        role = SERVICES.get(str(service.facts.get("service_type")), "")
        if not role:
            continue
        for kind, fact in (
            ("firewall", "firewall_ids"),
            ("subnet", "subnet_ids"),
            ("subnet", "subnet_id"),
            ("network", "network_id"),
        ):
            value = service.facts.get(fact)
            for place in value if isinstance(value, list) else [value] if value else []:
                found.setdefault((kind, str(place)), set()).add(role)
                subnet = world.get("subnet", str(place)) if kind == "subnet" else None
                network = subnet.facts.get("network_id") if subnet is not None else None
                if network:
                    found.setdefault(("network", str(network)), set()).add(role)
    return found


def _networks(node: Resource, world: World) -> Iterator[str | Gap]:
    subnets = world.fact(node, "subnet_ids")
    if isinstance(subnets, Gap):
        yield subnets
        return
    for subnet in (world.get("subnet", str(i)) for i in subnets):
        if subnet is not None:
            network = world.fact(subnet, "network_id")
            yield network if isinstance(network, Gap) else str(network)


def answer(place: Resource, question: str, world: World) -> Truth:
    """`nodes`, `accelerators` or `efa` in a place: whether there are any."""
    index = nodes(world)
    placed = index.at.get((place.kind, place.id))
    known: Mapping[str, Truth] = {"nodes": placed is not None} | (
        {"accelerators": placed.accelerators, "efa": placed.efa} if placed else {}
    )
    truth = known.get(question, False)
    if truth is True:
        return True
    clusters = world.listing(CLUSTER, place.scope, place.region)
    maybe = (
        truth,
        index.lost.get((place.kind, place.scope, question)),
        world.listing(NODE, place.scope, place.region),
        None if clusters is not None and clusters.reason in NOT_THERE else clusters,
    )
    return next((g for g in maybe if isinstance(g, Gap)), False)


def role_of(node: Resource) -> str:
    """What an accelerator node is for, from its size."""
    size = str(node.facts.get("instance_type") or "")
    return "inference" if size.rstrip("0123456789").startswith(INFERENCE) and not size.startswith("gr") else "training"
