"""Ways from the internet to nodes, with what they pass: to an interface's own address, or through a load balancer.

A way through a load balancer is one of its listener (who gets to it) and one from its subnets to the target. Where a network load
balancer keeps the client's address, the target's filters see the client.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-target-groups.html
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.addresses import EVERYWHERE, NOWHERE, PORTS, Blocks, Flows, Numbers
from scanner.derive.names import planned, unseen
from scanner.derive.network import NETWORK, SUBNET
from scanner.derive.placement import NODE
from scanner.derive.reach import CLOSED, EPHEMERAL, OPEN, READS, Link, Reach, exactly, protocols_of, reach, unknown
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

BALANCER = "AWS::ElasticLoadBalancingV2::LoadBalancer"
LISTENER = "AWS::ElasticLoadBalancingV2::Listener"
TARGETS = "AWS::ElasticLoadBalancingV2::TargetGroup"
MOST = 10
"""Ways, and sources of a way, that are told."""
STOPPED = ("stopped", "stopping")
V4, V6 = Blocks(EVERYWHERE.v4), Blocks(v6=EVERYWHERE.v6)
TRANSPORT: Mapping[str, tuple[str, ...]] = {
    "udp": ("udp",), "quic": ("udp",), "tcp_udp": ("tcp", "udp"), "tcp_quic": ("tcp", "udp"), "geneve": (),
}  # fmt: skip
"""Protocol of a listener → what carries it, where that is not TCP."""


@dataclass(frozen=True, slots=True)
class Way:
    """What gets through, and what it passes."""

    link: Link
    path: tuple[str, ...]
    protocol: str
    shown: Flows = field(default_factory=Flows)
    """What the filters let through, routes aside: as people wrote it."""


@dataclass(slots=True)
class Fronts:
    """Load balancers by what they forward to."""

    groups: dict[str, list[tuple[Resource, int]]] = field(default_factory=dict)
    """Target (a node's id, `network address`, a load balancer's id) → its target groups and ports there."""
    elsewhere: dict[str, Resource] = field(default_factory=dict)
    """Address that is not in the network of its target group (but in a peered one) → the group."""
    listeners: dict[str, list[Resource]] = field(default_factory=dict)
    """Target group → listeners that forward to it."""
    of: dict[str, list[Resource]] = field(default_factory=dict)
    """Load balancer → its listeners."""
    gaps: dict[str, Gap] = field(default_factory=dict)
    """Scope → why some target or listener is unknown."""


def _fronts(world: World) -> Fronts:
    found = Fronts()
    for endpoint in world.all("endpoint"):
        if endpoint.native_type == TARGETS:
            kind, network, targets = (world.fact(endpoint, f) for f in ("target_type", "network_id", "targets"))
            for target in endpoint.facts.get("targets") or []:
                named = kind != "ip" or str(target["id"]).startswith("plan/")
                name = str(target["id"]) if named else f"{network} {target['id']}"
                found.groups.setdefault(name, []).append((endpoint, int(target["port"])))
                if not named and not _within(str(target["id"]), str(network), world):
                    found.elsewhere.setdefault(str(target["id"]), endpoint)
            gap = next((g for g in (kind, network if kind == "ip" else None, targets) if isinstance(g, Gap)), None)
        elif endpoint.native_type == LISTENER:
            groups, balancer = world.fact(endpoint, "target_group_ids"), world.fact(endpoint, "balancer_id")
            found.of.setdefault(str(balancer), []).append(endpoint)
            for group in endpoint.facts.get("target_group_ids") or []:
                found.listeners.setdefault(str(group), []).append(endpoint)
            gap = next((g for g in (groups, balancer) if isinstance(g, Gap)), None)
        else:
            continue
        if gap is not None:
            found.gaps.setdefault(endpoint.scope, gap)
    return found


def _within(address: str, network_id: str, world: World) -> bool:
    """The address is in the network, as far as that is known."""
    network = world.get("network", network_id)
    cidrs = None if network is None else world.fact(network, "cidrs")
    return not isinstance(cidrs, list) or not _is_address(address) or Blocks.of(*cidrs).holds(Blocks.of(address))


def fronts(world: World) -> Fronts:
    """The index, made once a world."""
    return world.memo("ways.fronts", lambda: _fronts(world))


# ---- to an interface's own address


def _family(four: Sequence[str], six: Sequence[str]) -> Blocks:
    return Blocks(V4.v4 if four else NOWHERE.v4, V6.v6 if six else NOWHERE.v6)


def _direct(node: Resource, interface: Mapping[str, Any], world: World) -> Iterator[Way]:
    """Ways to the public addresses of an interface."""
    family = _family(interface["public_addresses"], interface["ipv6_addresses"])
    if not family:
        return
    links, groups = reach(world), [str(g) for g in interface["firewall_ids"]]
    subnet = world.get("subnet", str(interface["subnet_id"]))
    if subnet is None:
        yield Way(unknown(unseen(world, SUBNET, node, str(interface["subnet_id"]))), (), "tcp")
        return
    door = links.door(subnet)
    for protocol in protocols_of(world, groups):
        link, inside = _inside(node, subnet, tuple(groups), protocol, family, world)
        if link.maybe:
            path = (*door.path, *_acl(links, subnet), *_letting(links, groups, protocol, node, link), interface["id"], node.id)
            yield Way(link, path, protocol, inside.sure)


def _inside(
    node: Resource, subnet: Resource, groups: tuple[str, ...], protocol: str, family: Blocks, world: World
) -> tuple[Link, Link]:
    """What gets to an interface, and what of it the filters alone let through. Nodes of a group have it in common."""

    def made() -> tuple[Link, Link]:
        links = reach(world)
        inside = links.groups(groups, "ingress", protocol, node) & links.acl(subnet, "ingress", protocol)
        routed = links.door(subnet).link & links.answered(subnet, protocol) & exactly(Flows.box(PORTS, family))
        return inside & routed, inside

    return reach(world).once(("inside", subnet.id, groups, protocol, family), made)


def _acl(links: Reach, subnet: Resource) -> tuple[str, ...]:
    acl = links.acl_of(subnet)
    return (acl.id,) if isinstance(acl, Resource) else ()


def _letting(links: Reach, groups: Iterable[str], protocol: str, near: Resource, link: Link) -> list[str]:
    """The groups that let some of it in."""
    return [g for g in groups if links.group(g, "ingress", protocol, near).sure & link.sure]


# ---- through a load balancer


def _balanced(node: Resource, interfaces: Sequence[Mapping[str, Any]], world: World) -> Iterator[Way]:
    """Ways through load balancers that forward to a node."""
    index = fronts(world)
    for number, interface in enumerate(interfaces):
        subnet = world.get("subnet", str(interface["subnet_id"]))
        network = world.fact(subnet or node, "network_id")
        names = [f"{network} {a}" for a in (*interface["private_addresses"], *interface["ipv6_addresses"])]
        far = next((index.elsewhere[a] for a in interface["private_addresses"] if a in index.elsewhere), None)
        if far is not None and index.listeners.get(far.id):
            said = f"{far.name} forwards to an address like its own in another network"
            yield Way(unknown(Gap(Reason.NOT_OFFERED, "", "Look at the target group.", said)), (), "tcp")
        # NOTE: a target that is named by the node's id is the first address of its first interface
        for name in (*((node.id,) if number == 0 else ()), *names):
            for group, port in index.groups.get(name, ()):
                for listener in index.listeners.get(group.id, ()):
                    yield from _through(listener, group, port, interface, node, world)


def _through(
    listener: Resource, group: Resource, port: int, interface: Mapping[str, Any], node: Resource, world: World
) -> Iterator[Way]:
    balancer_id, protocol, number = (world.fact(listener, f) for f in ("balancer_id", "protocol", "port"))
    balancer = None if isinstance(balancer_id, Gap) else world.get("endpoint", str(balancer_id))
    if balancer is None:
        yield Way(
            unknown(balancer_id if isinstance(balancer_id, Gap) else unseen(world, BALANCER, listener, str(balancer_id))), (), "tcp"
        )
        return
    outside = _outside(balancer, world)
    if outside is False:
        return
    gap = next((g for g in (protocol, number, outside) if isinstance(g, Gap)), None)
    if gap is not None:
        yield Way(unknown(gap), (), "tcp")
        return
    for carrier in TRANSPORT.get(str(protocol), ("tcp",)):
        front = _front(balancer, int(str(number)), carrier, world)
        hop = _Hop(balancer, group, interface, node, carrier, port, world)
        link = front.link & hop.link()
        if link.maybe:
            path = (*front.path, balancer.id, listener.id, group.id, *hop.path(), interface["id"], node.id)
            yield Way(link, path, carrier, front.shown)


def _outside(balancer: Resource, world: World) -> Truth:
    """The internet gets to it: it has public addresses, or another load balancer forwards to it (which is not followed)."""
    facing = world.fact(balancer, "internet_facing")
    if isinstance(facing, Gap) or facing is True:
        return facing if isinstance(facing, Gap) else True
    if balancer.id in fronts(world).groups:
        return Gap(
            Reason.NOT_OFFERED,
            "",
            "Look at the load balancer in front of it.",
            f"another load balancer forwards to {balancer.name}",
        )
    return fronts(world).gaps.get(balancer.scope) or False


def _front(balancer: Resource, port: int, protocol: str, world: World) -> Way:
    """Who gets to a listener: by any subnet of the load balancer."""
    return world.memo(f"ways.front {balancer.id} {port} {protocol}", lambda: _made_front(balancer, port, protocol, world))


def _made_front(balancer: Resource, port: int, protocol: str, world: World) -> Way:
    links = reach(world)
    subnets, six, groups = (world.fact(balancer, f) for f in ("subnet_ids", "dual_stack", "firewall_ids"))
    gap = next((g for g in (subnets, six, groups) if isinstance(g, Gap)), None)
    if gap is not None or isinstance(subnets, Gap) or isinstance(groups, Gap):
        return Way(unknown(gap or Gap(Reason.BUG, "ways", "", "")), (), protocol)
    # NOTE: a network load balancer may have no group; it then lets everybody in
    inside = links.groups(map(str, groups), "ingress", protocol, balancer) if groups else OPEN
    inside &= exactly(Flows.box(Numbers.of((port, port)), EVERYWHERE if six is True else V4))
    found, path = CLOSED, {}  # type: Link, dict[str, None]
    for name in map(str, subnets):
        subnet = world.get("subnet", name)
        if subnet is None:
            found |= unknown(unseen(world, SUBNET, balancer, name)) & inside
            continue
        door = links.door(subnet)
        way = door.link & inside & links.acl(subnet, "ingress", protocol) & links.answered(subnet, protocol)
        if way.sure:
            path |= dict.fromkeys((*door.path, *_acl(links, subnet)))
        found |= way
    path |= dict.fromkeys(_letting(links, map(str, groups), protocol, balancer, found))
    return Way(found, tuple(path), protocol, inside.sure)


@dataclass(slots=True)
class _Hop:
    """From a load balancer to a target."""

    balancer: Resource
    group: Resource
    interface: Mapping[str, Any]
    node: Resource
    protocol: str
    port: int
    world: World

    def link(self) -> Link:
        """What of the clients gets to the target."""
        subnet = self.world.get("subnet", str(self.interface["subnet_id"]))
        if subnet is None:
            return unknown(unseen(self.world, SUBNET, self.node, str(self.interface["subnet_id"])))
        keeps = self.world.fact(self.group, "preserves_client")
        if isinstance(keeps, Gap):
            return unknown(keeps)
        links = reach(self.world)
        if keeps:
            there = links.groups(self._groups(), "ingress", self.protocol, self.node, self._own())
            there = there & links.acl(subnet, "ingress", self.protocol) & links.answered(subnet, self.protocol)
            return Link(Flows.box(PORTS, there.sure.at(self.port)), Flows.box(PORTS, there.maybe.at(self.port)), there.gap)
        truth = any_of(self._from(str(s), subnet) for s in self.balancer.facts.get("subnet_ids") or [])
        return unknown(truth) if isinstance(truth, Gap) else OPEN if truth else CLOSED

    def path(self) -> list[str]:
        """What is passed behind the target group."""
        links = reach(self.world)
        subnet = self.world.get("subnet", str(self.interface["subnet_id"]))
        letting = (g for g in self._groups() if links.group(g, "ingress", self.protocol, self.node, self._own()).sure.at(self.port))
        return [*(_acl(links, subnet) if subnet else ()), *letting]

    def _groups(self) -> list[str]:
        return [str(g) for g in self.interface["firewall_ids"]]

    def _own(self) -> frozenset[str]:
        return frozenset(str(g) for g in self.balancer.facts.get("firewall_ids") or [])

    def _from(self, name: str, there: Resource) -> Truth:
        """From one subnet of the load balancer: its own groups let it out, the target's in, and the ACLs of both subnets both ways."""
        here = self.world.get("subnet", name)
        if here is None:
            return unseen(self.world, SUBNET, self.balancer, name)
        near, far = _blocks(here, self.world), self._address(there)
        if isinstance(near, Gap):
            return near
        if isinstance(far, Gap):
            return far
        links, own, to = reach(self.world), self._own(), self._groups()
        port, back = Numbers.of((self.port, self.port)), EPHEMERAL
        steps = [
            _lets(links.groups(to, "ingress", self.protocol, self.node, own), port, near),
            _lets(links.groups(own, "egress", self.protocol, self.balancer, frozenset(to)), port, far) if own else True,
        ]
        if here.id != there.id:  # packets within a subnet pass no ACL
            steps += [
                _lets(links.acl(here, "egress", self.protocol), port, far),
                _lets(links.acl(there, "ingress", self.protocol), port, near),
                _lets(links.acl(there, "egress", self.protocol), back, near),
                _lets(links.acl(here, "ingress", self.protocol), back, far),
            ]
        return all_of(steps)

    def _address(self, subnet: Resource) -> Blocks | Gap:
        """The target's addresses, or those of its subnet where they are not known yet."""
        found = [a for a in (*self.interface["private_addresses"], *self.interface["ipv6_addresses"]) if _is_address(a)]
        return Blocks.of(*found) if found else _blocks(subnet, self.world)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _blocks(subnet: Resource, world: World) -> Blocks | Gap:
    cidrs = world.fact(subnet, "cidrs")
    return cidrs if isinstance(cidrs, Gap) else Blocks.of(*cidrs)


def _lets(link: Link, ports: Numbers, blocks: Blocks) -> Truth:
    """Some of those addresses get through on some of those ports."""
    if link.sure.on(ports) & blocks:
        return True
    if link.maybe.on(ports) & blocks:
        return link.gap or Gap(Reason.BUG, "ways", "This is a fault of bartizan; report it.", "a link without its gap")
    return False


# ---- the facts


def node_facts(node: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Proven ways from the internet to a node, and whether there may be more."""
    interfaces = world.fact(node, "interfaces")
    if isinstance(interfaces, Gap):
        return {"internet_ways": [], "internet_ways_known": interfaces}
    ways = [way for interface in interfaces for way in _direct(node, interface, world)]
    ways += _balanced(node, interfaces, world)
    gap = next((w.link.gap for w in ways if w.link.gap is not None), None) or fronts(world).gaps.get(node.scope)
    gap = gap or next((g for n in (TARGETS, LISTENER) if (g := world.listing(n, node.scope, node.region)) is not None), None)
    told = [told for way in ways for told in _told(way)]
    told.sort(key=lambda w: (_width(w), w["path"], w["protocol"], w["ports"]))
    return {"internet_ways": told[:MOST], "internet_ways_known": gap or True}


def _told(way: Way) -> Iterator[dict[str, Any]]:
    for ports, blocks in way.link.sure.by_blocks():
        first = ports.spans[0][0]
        sources = [text for text in way.shown.at(first).cidrs() if Blocks.of(text) & blocks] or blocks.cidrs()
        yield {
            "path": list(dict.fromkeys(way.path)),
            "sources": sources[:MOST],
            "protocol": way.protocol,
            "ports": [f"{a}-{b}" if a != b else str(a) for a, b in ports.spans][:MOST] if way.protocol in ("tcp", "udp") else [],
        }


def _width(way: Mapping[str, Any]) -> int:
    """The fewest fixed bits of a source: the widest ways come first."""
    return min((ipaddress.ip_network(s).prefixlen // (2 if ":" in s else 1) for s in way["sources"]), default=128)


def node_state(node: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a node runs; one of a plan will."""
    state = world.fact(node, "state")
    if isinstance(state, Gap):
        return {"runs": True if planned(node) else state}
    return {"runs": state not in STOPPED}


WAYS_READ: Mapping[str, tuple[str, ...]] = {
    **READS,
    TARGETS: ("target_type", "network_id", "targets", "preserves_client"),
    NETWORK: ("cidrs",),
    LISTENER: ("target_group_ids", "balancer_id", "protocol", "port"),
    BALANCER: ("internet_facing", "subnet_ids", "dual_stack", "firewall_ids"),
}
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "node",
        ("internet_ways", "internet_ways_known"),
        node_facts,
        needs=("interfaces", "network_id"),
        reads=WAYS_READ,
        native_types=(NODE,),
    ),
    Derivation("node", ("runs",), node_state, needs=("state",), native_types=(NODE,)),
)
