"""Ways from the internet to nodes, with what they pass: to an interface's own address, or through a load balancer.

A way through a load balancer is one of its listener (who gets to it) and one from its subnets to the target. Where a network load
balancer keeps the client's address, the target's filters see the client.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-target-groups.html
"""

from __future__ import annotations

import ipaddress
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.addresses import EVERYWHERE, NOWHERE, PORTS, Blocks, Flows, Numbers
from scanner.derive.fronts import BALANCER, CLASSIC, LEADS, LISTENER, TARGETS, fronts, is_address, leading, unseen_fronts
from scanner.derive.names import planned, unseen
from scanner.derive.network import NETWORK, SUBNET
from scanner.derive.placement import NODE
from scanner.derive.reach import CLOSED, EPHEMERAL, OPEN, READS, Link, Reach, exactly, protocols_of, reach, unknown
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

MOST = 10
"""Ways, and sources of a way, that are told."""
STOPPED = ("stopped", "stopping")
V4, V6 = Blocks(EVERYWHERE.v4), Blocks(v6=EVERYWHERE.v6)
TRANSPORT: Mapping[str, tuple[str, ...]] = {
    "udp": ("udp",), "quic": ("udp",), "tcp_udp": ("tcp", "udp"), "tcp_quic": ("tcp", "udp"), "geneve": (),
}  # fmt: skip
"""Protocol of a listener → what carries it, where that is not TCP."""


@frozen
class Way:
    """What gets through, and what it passes."""

    link: Link
    path: tuple[str, ...]
    protocol: str
    shown: Flows = field(default_factory=Flows)
    """What the filters let through, routes aside: as people wrote it."""


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
        addresses = (*interface["private_addresses"], *interface["ipv6_addresses"])
        far = next((g for a in addresses for g in index.elsewhere.get(a, ()) if index.listeners.get(g.id)), None)
        if far is not None:
            said = f"{far.name} forwards to an address like its own in another network"
            yield Way(unknown(Gap(Reason.NOT_OFFERED, "", "Look at the target group.", said)), (), "tcp")
        # NOTE: a target that is named by the node's id is the first address of its first interface
        for name in (*((node.id,) if number == 0 else ()), *(f"{network} {a}" for a in addresses)):
            for group, port in index.groups.get(name, ()):
                for listener in index.listeners.get(group.id, ()):
                    yield from _through(listener, group, port, interface, node, world)
        for balancer in index.classic.get(node.id, ()) if number == 0 else ():
            yield from _through_classic(balancer, interface, node, world)


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
    gap = next((g for g in (protocol, number) if isinstance(g, Gap)), None)
    if gap is not None:
        yield Way(unknown(gap), (), "tcp")
        return
    for carrier in TRANSPORT.get(str(protocol), ("tcp",)):
        hop = _Hop(balancer, group, interface, node, carrier, port, world)
        yield from _crossing(outside, int(str(number)), hop, (listener.id, group.id))


def _through_classic(balancer: Resource, interface: Mapping[str, Any], node: Resource, world: World) -> Iterator[Way]:
    """Ways through a load balancer of the first generation: its listeners are its own, and it never shows the client's address."""
    outside = _outside(balancer, world)
    if outside is False:
        return
    for listener in balancer.facts.get("listeners") or []:
        hop = _Hop(balancer, None, interface, node, "tcp", int(listener["target_port"]), world)
        yield from _crossing(outside, int(listener["port"]), hop, ())


def _crossing(outside: Truth, port: int, hop: _Hop, between: tuple[str, ...]) -> Iterator[Way]:
    """By a listener's port and from its load balancer to the target."""
    if isinstance(outside, Gap):
        # NOTE: nobody knows with which address such a client comes, so it may be let in as itself or as the load balancer
        front, behind = Way(unknown(outside), (), hop.protocol), hop.link(keeps=True) | hop.link(keeps=False)
    else:
        front, behind = _front(hop.balancer, port, hop.protocol, hop.world), hop.link()
    link = front.link & behind
    if link.maybe:
        path = (*front.path, hop.balancer.id, *between, *hop.path(), hop.interface["id"], hop.node.id)
        yield Way(link, path, hop.protocol, front.shown)


def _outside(balancer: Resource, world: World) -> Truth:
    """The internet gets to it: it has public addresses, or something leads to it (which is not followed)."""
    facing = world.fact(balancer, "internet_facing")
    if isinstance(facing, Gap) or facing is True:
        return facing if isinstance(facing, Gap) else True
    index = fronts(world)
    if balancer.id in index.groups:
        said = f"another load balancer forwards to {balancer.name}"
        return Gap(Reason.NOT_OFFERED, "", "Look at the load balancer in front of it.", said)
    lead = index.led.get(balancer.id) or next((link for n in _networks(balancer, world) for link in index.entered.get(n, ())), None)
    return leading(lead, balancer) if lead is not None else index.gaps.get(balancer.scope) or False


def _networks(balancer: Resource, world: World) -> set[str]:
    """The network of a load balancer, by its subnets."""
    found = (world.get("subnet", str(s)) for s in balancer.facts.get("subnet_ids") or [])
    return {str(n) for s in found if s is not None and (n := s.facts.get("network_id"))}


# ---- by what leads to nodes themselves


def _led(node: Resource, interfaces: Sequence[Mapping[str, Any]], world: World) -> Iterator[Way]:
    """Ways of accelerators, origins and links to a node: they are not followed, so one that leads there is unknown."""
    index, links = fronts(world), reach(world)
    lead = index.led.get(node.id) or next((index.led[s] for i in interfaces if (s := str(i["subnet_id"])) in index.led), None)
    if lead is not None:
        yield Way(unknown(leading(lead, node)), (), "tcp")
    for interface in interfaces:
        groups = [str(g) for g in interface["firewall_ids"]]
        lead = index.addressed.get(node.scope) if interface["public_addresses"] else None
        if lead is not None:
            yield Way(unknown(leading(lead, node)) & links.groups(groups, "ingress", "tcp", node), (), "tcp")
        subnet = world.get("subnet", str(interface["subnet_id"]))
        for link in index.entered.get(str(subnet.facts.get("network_id")), ()) if subnet is not None else ():
            let = links.groups(groups, "ingress", "tcp", node, frozenset(map(str, link.facts.get("firewall_ids") or [])))
            for place in (world.get("subnet", str(s)) for s in link.facts.get("subnet_ids") or []):
                near = Gap(Reason.BUG, "ways", "", "") if place is None else _blocks(place, world)
                if isinstance(near, Gap) or let.maybe.on(PORTS) & near:
                    yield Way(unknown(leading(link, node)), (), "tcp")


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
    group: Resource | None
    """None for a load balancer that has none."""
    interface: Mapping[str, Any]
    node: Resource
    protocol: str
    port: int
    world: World

    def link(self, *, keeps: JSON | Gap = None) -> Link:
        """What of the clients gets to the target. `keeps`: it sees the client's address, where the group is not to say."""
        subnet = self.world.get("subnet", str(self.interface["subnet_id"]))
        if subnet is None:
            return unknown(unseen(self.world, SUBNET, self.node, str(self.interface["subnet_id"])))
        if keeps is None:
            keeps = False if self.group is None else self.world.fact(self.group, "preserves_client")
        read = (keeps, *(self.world.fact(self.balancer, f) for f in ("subnet_ids", "firewall_ids")))
        gap = next((g for g in read if isinstance(g, Gap)), None)
        if gap is not None:
            return unknown(gap)
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
        found = [a for a in (*self.interface["private_addresses"], *self.interface["ipv6_addresses"]) if is_address(a)]
        return Blocks.of(*found) if found else _blocks(subnet, self.world)


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
    ways += [*_balanced(node, interfaces, world), *_led(node, interfaces, world)]
    gap = next((w.link.gap for w in ways if w.link.gap is not None), None) or fronts(world).gaps.get(node.scope)
    gap = gap or _attached(node, world) or next(unseen_fronts(node, world), None)
    told = [told for way in ways for told in _told(way)]
    told.sort(key=lambda w: (_width(w), w["path"], w["protocol"], w["ports"]))
    return {"internet_ways": told[:MOST], "internet_ways_known": gap or True}


def _attached(node: Resource, world: World) -> Gap | None:
    """Why a group that the plan attaches a node to was not seen: it is of another plan, or exists already."""
    said = world.fact(node, "balanced_by") if planned(node) else []
    if isinstance(said, Gap):
        return said
    return next((unseen(world, TARGETS, node, str(g)) for g in said if world.get("endpoint", str(g)) is None), None)


def _told(way: Way) -> Iterator[dict[str, Any]]:
    for ports, blocks in way.link.sure.by_blocks():
        first = ports.spans[0][0]
        sources = list(itertools.islice((t for t in way.shown.at(first).cidrs() if Blocks.of(t) & blocks), MOST)) or blocks.cidrs()
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
    CLASSIC: ("internet_facing", "subnet_ids", "dual_stack", "firewall_ids", "targets", "listeners"),
    **dict.fromkeys(LEADS, ("enabled", "leads_to", "subnet_ids", "firewall_ids")),
}
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "node",
        ("internet_ways", "internet_ways_known"),
        node_facts,
        needs=("interfaces", "network_id", "balanced_by"),
        reads=WAYS_READ,
        native_types=(NODE,),
    ),
    Derivation("node", ("runs",), node_state, needs=("state",), native_types=(NODE,)),
)
