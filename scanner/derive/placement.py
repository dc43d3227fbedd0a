"""Where the nodes are: one pass over them, so that networks, subnets, firewalls and volumes can each be asked in constant time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scanner.derive.three import Truth, any_of
from scanner.derive.world import World
from scanner.model import Gap, Resource

NODE = "AWS::EC2::Instance"
PLACES = {"network": "network_id", "subnet": "subnet_ids", "firewall": "firewall_ids", "data_store": "volume_ids"}
"""Kind → the fact of a node that names resources of that kind."""
READS = {NODE: ("accelerator", "network_id", "subnet_ids"), "AWS::EC2::Subnet": ("network_id",)}
"""What must be collected for the questions about networks and subnets."""

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
        if node.native_type != NODE:
            continue
        accelerators, efa = _truth(world.fact(node, "accelerator")), _truth(world.fact(node, "efa"))
        _adapters(found, node, efa, world)
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
    return found


def _adapters(found: Nodes, node: Resource, efa: Truth, world: World) -> None:
    """The firewalls of a node's EFA interfaces; its other interfaces may have others."""
    if efa is False:
        return
    ids, gap = _places(node, "efa_firewall_ids", world)
    for place in ids:
        found.at.setdefault(("firewall", place), Placed()).efa = True
    if gap is not None:
        found.lost.setdefault(("firewall", node.scope, "efa"), gap)


def _truth(value: object) -> Truth:
    return value if isinstance(value, Gap) else value is True


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
    maybe = (truth, index.lost.get((place.kind, place.scope, question)), world.listing(NODE, place.scope, place.region))
    return next((g for g in maybe if isinstance(g, Gap)), False)


def role_of(node: Resource) -> str:
    """What an accelerator node is for, from its size."""
    size = str(node.facts.get("instance_type") or "")
    return "inference" if size.rstrip("0123456789").startswith(INFERENCE) and not size.startswith("gr") else "training"
