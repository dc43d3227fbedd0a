"""Ways from the internet to a node: gateway, route, block of public access, network ACL both ways, security group, interface.

Every link is two sets: what gets through for sure, and what may get through. They are the same where everything was seen. A way is
proven where the sure sets of all links have something in common; there is none where the possible ones have not; what lies
between is the gap of the link that was not seen. All sets of a subnet, a group or a table are made once a world.

What is not seen: CloudFront VPC origins, Global Accelerator, links of API Gateway, classic load balancers, and machines that pass
packets on (an endpoint of a firewall between the gateway and the node is a gap). Clients are taken to use ports from 1024 up.

https://docs.aws.amazon.com/vpc/latest/userguide/VPC_Route_Tables.html#route-tables-priority
https://docs.aws.amazon.com/vpc/latest/userguide/nacl-rules.html
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from scanner.derive.addresses import (
    ALL_FLOWS,
    EVERYWHERE,
    INTERNET,
    NO_FLOWS,
    NOWHERE,
    PORTS,
    Blocks,
    Flows,
    Numbers,
)
from scanner.derive.names import planned, unseen
from scanner.derive.network import ACL, GROUP, NETWORK, SUBNET, TABLE, table_of
from scanner.derive.world import World
from scanner.model import Gap, Reason, Resource, frozen

T = TypeVar("T")
PREFIX_LIST = "AWS::EC2::PrefixList"
BLOCK, EXCLUSION = "AWS::EC2::VPCBlockPublicAccessOptions", "AWS::EC2::VPCBlockPublicAccessExclusion"
EPHEMERAL = Numbers.of((1024, 65535))
NO_PORT = Numbers.of((0, 0))
"""Where a protocol without ports stands."""
PORTLESS = frozenset(("icmp", "icmpv6"))
"""Answers to pings open nothing."""
READS: Mapping[str, tuple[str, ...]] = {
    SUBNET: ("network_id", "cidrs"),
    TABLE: ("subnet_ids", "main", "network_id", "routes"),
    NETWORK: (),
    ACL: ("subnet_ids", "network_id", "is_default", "ingress", "egress"),
    GROUP: ("ingress", "egress"),
    PREFIX_LIST: ("cidrs",),
    BLOCK: ("internet_gateway_block",),
    EXCLUSION: ("excluded_id", "exclusion_mode"),
}


@frozen
class Link:
    """What gets through for sure, and what may, in one protocol."""

    sure: Flows
    maybe: Flows
    gap: Gap | None = None
    """Why the two differ."""

    def __and__(self, other: Link) -> Link:
        """Both must let it through."""
        return _link(self.sure & other.sure, self.maybe & other.maybe, self.gap or other.gap)

    def __or__(self, other: Link) -> Link:
        """One must let it through."""
        return _link(self.sure | other.sure, self.maybe | other.maybe, self.gap or other.gap)


def _link(sure: Flows, maybe: Flows, gap: Gap | None) -> Link:
    return Link(sure, maybe, gap if sure != maybe else None)


def exactly(flows: Flows) -> Link:
    """A link that was seen whole."""
    return Link(flows, flows)


def unknown(gap: Gap, sure: Flows = NO_FLOWS, ports: Numbers = PORTS) -> Link:
    """A link that was not seen: anything may get through on those ports."""
    return Link(sure, sure | Flows.box(ports, EVERYWHERE), gap)


CLOSED, OPEN = exactly(NO_FLOWS), exactly(ALL_FLOWS)


@dataclass(slots=True)
class Acls:
    """Network ACLs by what they filter."""

    of: dict[str, Resource] = field(default_factory=dict)
    """Subnet → its ACL."""
    default: dict[str, Resource] = field(default_factory=dict)
    """Network → the ACL of subnets that have no other."""
    gaps: dict[str, Gap] = field(default_factory=dict)


@dataclass(slots=True)
class Blocked:
    """Block of public access, by (scope, region)."""

    mode: dict[tuple[str, str], str | Gap] = field(default_factory=dict)
    excluded: dict[str, str | Gap] = field(default_factory=dict)
    """Network or subnet → what its exclusion lets through."""
    gaps: dict[str, Gap] = field(default_factory=dict)


@frozen
class Door:
    """How a subnet's packets come and go."""

    link: Link
    path: tuple[str, ...]
    """Gateway and table."""


class Reach:
    """Links of a world, each made once."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._kept: dict[tuple[Any, ...], Any] = {}

    def once(self, key: tuple[Any, ...], build: Callable[[], T]) -> T:
        """`build()`, once for a key."""
        if key not in self._kept:
            self._kept[key] = build()
        found: T = self._kept[key]
        return found

    # ---- security groups

    def groups(self, ids: Iterable[str], direction: str, protocol: str, near: Resource, via: frozenset[str] = frozenset()) -> Link:
        """What some groups of one interface let through, together. `via` are groups whose members count as everywhere."""
        found = CLOSED
        for group in ids:
            found |= self.group(group, direction, protocol, near, via)
        return found

    def group(self, group: str, direction: str, protocol: str, near: Resource, via: frozenset[str] = frozenset()) -> Link:
        """What a group lets through."""
        via &= self.once(("sources", group, direction), lambda: self._sources(group, direction))  # others make no difference
        return self.once(("group", group, direction, protocol, via), lambda: self._group(group, direction, protocol, near, via))

    def _sources(self, identity: str, direction: str) -> frozenset[str]:
        """Groups that entries of a group name."""
        group = self.world.get("firewall", identity)
        entries = group.facts.get(direction) or [] if group is not None else []
        return frozenset(str(e["source"]) for e in entries if e["source_type"] in ("group", "self"))

    def _group(self, identity: str, direction: str, protocol: str, near: Resource, via: frozenset[str]) -> Link:
        group = self.world.get("firewall", identity)
        if group is None:
            return unknown(unseen(self.world, GROUP, near, identity))
        entries = self.world.fact(group, direction)
        known = group.facts.get(direction) or []
        found = CLOSED
        blocks: dict[Numbers, list[str]] = {}
        for entry in known:
            ports = ports_of(entry, protocol)
            if ports and entry["source_type"] == "cidr":
                blocks.setdefault(ports, []).append(str(entry["source"]))
            elif ports:
                found |= self._source(entry, ports, group, via)
        for ports, texts in blocks.items():
            found |= exactly(Flows.box(ports, Blocks.of(*texts)))
        return found | unknown(entries) if isinstance(entries, Gap) else found

    def _source(self, entry: Mapping[str, Any], ports: Numbers, group: Resource, via: frozenset[str]) -> Link:
        kind, source = entry["source_type"], str(entry["source"])
        if kind == "prefix_list":
            listed = self.prefix_list(source, group)
            return unknown(listed, ports=ports) if isinstance(listed, Gap) else exactly(Flows.box(ports, listed))
        # NOTE: a group stands for the private addresses of its members, which nobody on the internet has
        return exactly(Flows.box(ports, EVERYWHERE)) if source in via else CLOSED

    def prefix_list(self, identity: str, near: Resource) -> Blocks | Gap:
        """What is in a prefix list."""
        return self.once(("list", identity), lambda: self._prefix_list(identity, near))

    def _prefix_list(self, identity: str, near: Resource) -> Blocks | Gap:
        found = self.world.get("firewall", identity)
        if found is None:
            return unseen(self.world, PREFIX_LIST, near, identity)
        cidrs = self.world.fact(found, "cidrs")
        return cidrs if isinstance(cidrs, Gap) else Blocks.of(*cidrs)

    # ---- network ACLs

    def acl_of(self, subnet: Resource) -> Resource | Gap | None:
        """The ACL of a subnet; None for the one that a network gets unasked, which lets everything through."""
        acls = self.world.memo("reach.acls", lambda: _acls(self.world))
        if subnet.id in acls.of:
            return acls.of[subnet.id]
        gap = acls.gaps.get(subnet.scope) or self.world.listing(ACL, subnet.scope, subnet.region)
        network = self.world.fact(subnet, "network_id")
        if not planned(subnet):
            return gap or Gap(Reason.UNPARSABLE, "ec2:DescribeNetworkAcls", "", f"{subnet.id} has no network ACL")
        if isinstance(network, Gap):
            return network
        if network in acls.default:
            return acls.default[network]
        made_here = self.world.get("network", str(network)) is not None
        return acls.gaps.get(subnet.scope) if made_here else unseen(self.world, NETWORK, subnet, str(network))

    def acl(self, subnet: Resource, direction: str, protocol: str) -> Link:
        """What the ACL of a subnet lets through: entries in order, the first that fits decides."""
        return self.once(("acl", subnet.id, direction, protocol), lambda: self._acl(subnet, direction, protocol))

    def _acl(self, subnet: Resource, direction: str, protocol: str) -> Link:
        acl = self.acl_of(subnet)
        if acl is None:
            return OPEN
        entries = acl if isinstance(acl, Gap) else self.world.fact(acl, direction)
        if isinstance(entries, Gap):
            return unknown(entries)
        allowed, decided = NO_FLOWS, NO_FLOWS
        for entry in sorted(entries, key=lambda e: e["priority"]):
            if ports := ports_of(entry, protocol):
                box = Flows.box(ports, Blocks.of(str(entry["source"])))
                if entry["action"] == "allow":
                    allowed |= box - decided
                decided |= box
        return exactly(allowed)

    def answered(self, subnet: Resource, protocol: str) -> Link:
        """Whom answers may go back to: some port of a client's is let out. Those get through on every port of the node."""
        return self.once(("answered", subnet.id, protocol), lambda: self._answered(subnet, protocol))

    def _answered(self, subnet: Resource, protocol: str) -> Link:
        out = self.acl(subnet, "egress", protocol)
        back = EPHEMERAL if protocol in ("tcp", "udp") else NO_PORT
        return _link(Flows.box(PORTS, out.sure.on(back)), Flows.box(PORTS, out.maybe.on(back)), out.gap)

    # ---- routes and gateways

    def door(self, subnet: Resource) -> Door:
        """Who on the internet a subnet exchanges packets with, filters aside."""
        return self.once(("door", subnet.id), lambda: self._door(subnet))

    def _door(self, subnet: Resource) -> Door:
        table_id = table_of(subnet, self.world)
        if isinstance(table_id, Gap):
            return Door(unknown(table_id) & exactly(Flows.box(PORTS, INTERNET)) & self._blocked(subnet), ())
        table = self.world.get("route_table", table_id) if table_id else None
        if table is None:
            return Door(CLOSED, ())
        routes = self.world.fact(table, "routes")
        known = table.facts.get("routes") or []
        link = self.routed(known, table)
        if isinstance(routes, Gap):
            # NOTE: a route that was not seen may lead elsewhere, but nobody writes one for every block of the internet
            link = Link(link.sure, link.maybe | ALL_FLOWS, routes)
        gateways = sorted(
            {str(r["target"]) for r in known if r["target_type"] == "internet_gateway" and r.get("active") is not False}
        )
        return Door(link & exactly(Flows.box(PORTS, INTERNET)) & self._blocked(subnet), (*gateways, table.id))

    def routed(self, routes: Iterable[Mapping[str, Any]], table: Resource) -> Link:
        """What live routes to an internet gateway lead to, where no longer prefix leads elsewhere; black holes swallow their part."""
        taken, sure, maybe, gap = NOWHERE, NOWHERE, NOWHERE, None
        listed = [(r, self._destination(r, table)) for r in routes]
        for route, blocks in sorted(listed, key=lambda pair: -_prefix(str(pair[0]["destination"]))):
            if isinstance(blocks, Gap):
                if route["target_type"] == "internet_gateway" and route.get("active") is not False:
                    maybe, gap = EVERYWHERE, gap or blocks
                # NOTE: a list that leads elsewhere (to S3, say) is a part of the internet, not the whole of it
                continue
            part = blocks - taken
            taken |= blocks
            if route.get("active") is False:
                continue
            if route["target_type"] == "internet_gateway":
                sure, maybe = sure | part, maybe | part
            elif route["target_type"] in ("endpoint", "interface") and "/" in str(route["destination"]) and part & INTERNET:
                maybe, gap = maybe | part, gap or Gap(
                    Reason.NOT_OFFERED, "", "Look at the rules of the machine in between.",
                    f"{route['destination']} leads to {route['target']}, which may pass packets on",
                )  # fmt: skip
        return _link(Flows.box(PORTS, sure), Flows.box(PORTS, sure | maybe), gap)

    def _destination(self, route: Mapping[str, Any], table: Resource) -> Blocks | Gap:
        text = str(route["destination"])
        if "/" in text and not text.startswith(("arn:", "plan/")):
            return Blocks.of(text)
        near = table.id.replace("route-table/", "prefix-list/", 1).rpartition("/")[0]
        return self.prefix_list(text if text.startswith(("arn:", "plan/")) else f"{near}/{text}", table)

    def _blocked(self, subnet: Resource) -> Link:
        """Block of public access: off where nobody turned it on."""
        state = self.world.memo("reach.blocked", lambda: _blocks(self.world))
        mode = state.mode.get((subnet.scope, subnet.region))
        if mode is None:
            gap = None if planned(subnet) else self.world.listing(BLOCK, subnet.scope, subnet.region)
            # NOTE: where the service does not know the question there is no such block
            if gap is not None and gap.reason is not Reason.SERVICE_OFF:
                return unknown(gap)
            return OPEN
        if isinstance(mode, Gap):
            return unknown(mode)
        if mode == "off":
            return OPEN
        excluded = [state.excluded.get(place) for place in (subnet.id, str(subnet.facts.get("network_id") or ""))]
        if "bidirectional" in excluded:
            return OPEN
        gap = next((e for e in excluded if isinstance(e, Gap)), None) or state.gaps.get(subnet.scope)
        gap = gap or (None if planned(subnet) else self.world.listing(EXCLUSION, subnet.scope, subnet.region))
        return unknown(gap) if gap is not None else CLOSED


def reach(world: World) -> Reach:
    """The links of a world."""
    return world.memo("reach", lambda: Reach(world))


def ports_of(entry: Mapping[str, Any], protocol: str) -> Numbers:
    """The ports of a protocol that an entry speaks of; none where it speaks of others."""
    if entry["protocol"] not in (protocol, "all"):
        return Numbers()
    if protocol not in ("tcp", "udp"):
        return NO_PORT
    return Numbers.of((max(0, int(entry["from_port"])), int(entry["to_port"])))


def protocols_of(world: World, groups: Iterable[str]) -> tuple[str, ...]:
    """TCP, UDP, and the other protocols that entries of some groups name."""
    found = {"tcp", "udp"}
    for group in (world.get("firewall", g) for g in groups):
        if group is not None:
            found |= {str(e["protocol"]) for e in group.facts.get("ingress") or []} - PORTLESS - {"all"}
    return tuple(sorted(found))


@functools.cache
def _prefix(text: str) -> int:
    length = text.rpartition("/")[2]
    return int(length) if "/" in text and length.isdigit() else -1


def _acls(world: World) -> Acls:
    found = Acls()
    for acl in world.all("firewall"):
        if acl.native_type != ACL:
            continue
        subnets, default, network = (world.fact(acl, f) for f in ("subnet_ids", "is_default", "network_id"))
        for subnet in acl.facts.get("subnet_ids") or []:
            found.of[str(subnet)] = acl
        if default is True and isinstance(network, str):
            found.default[network] = acl
        # NOTE: the default one of a plan has the subnets of its network that no other one has
        read = (subnets if default is not True or not planned(acl) else None, default, network if default is True else None)
        gap = next((g for g in read if isinstance(g, Gap)), None)
        if gap is not None:
            found.gaps.setdefault(acl.scope, gap)
    return found


def _blocks(world: World) -> Blocked:
    found = Blocked()
    for account in world.all("account"):
        if account.native_type == BLOCK:
            found.mode[account.scope, account.region] = world.fact(account, "internet_gateway_block")
        elif account.native_type == EXCLUSION:
            place, mode = world.fact(account, "excluded_id"), world.fact(account, "exclusion_mode")
            if isinstance(place, Gap):
                found.gaps.setdefault(account.scope, place)
            elif found.excluded.get(str(place)) != "bidirectional":
                found.excluded[str(place)] = mode
    return found
