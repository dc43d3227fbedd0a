"""Networks that are joined: what routes over a peering cover, and which zones a table of a transit gateway brings together.

https://docs.aws.amazon.com/vpc/latest/peering/vpc-peering-routing.html
https://docs.aws.amazon.com/vpc/latest/tgw/tgw-best-design-practices.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scanner.derive import placement
from scanner.derive.addresses import NOWHERE, Blocks
from scanner.derive.names import account_of, planned, unseen
from scanner.derive.network import NETWORK, TABLE
from scanner.derive.roles import WORDS
from scanner.derive.words import by_name
from scanner.derive.world import Derivation, World
from scanner.derive.zones import zone_of
from scanner.model import JSON, Gap, Reason, Resource

PEERING, TRANSIT, TRANSIT_TABLE = "AWS::EC2::VPCPeeringConnection", "AWS::EC2::TransitGateway", "AWS::EC2::TransitGatewayRouteTable"
TAGS = ("zone", "networkzone", "segment", "environment")
"""Tags of a network that name its zone, by plain name, where nothing declares it and its role is not known."""


# ---- peerings


@dataclass(slots=True)
class Peered:
    """Routes over peerings."""

    over: dict[str, list[tuple[Resource, str]]] = field(default_factory=dict)
    """Peering → (table, destination) of its live routes."""
    gaps: dict[str, Gap] = field(default_factory=dict)


def _peered(world: World) -> Peered:
    found = Peered()
    for table in world.all("route_table"):
        if table.native_type != TABLE:
            continue
        for route in table.facts.get("routes") or []:
            if route["target_type"] == "peering" and route.get("active") is not False:
                found.over.setdefault(str(route["target"]), []).append((table, str(route["destination"])))
        gap = next((g for f in ("routes", "network_id") if isinstance(g := world.fact(table, f), Gap)), None)
        if gap is not None:
            found.gaps.setdefault(table.scope, gap)
    return found


def peering_facts(peering: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Tables whose routes over a peering cover a whole block of the network on the other side."""
    index = world.memo("domains.peered", lambda: _peered(world))
    sides = {s: world.fact(peering, f"{s}_id") for s in ("requester", "accepter")}
    gap = index.gaps.get(peering.scope) or world.listing(TABLE, peering.scope, peering.region)
    by_table: dict[str, tuple[Resource, list[str]]] = {}
    for table, destination in index.over.get(peering.id, ()):
        by_table.setdefault(table.id, (table, []))[1].append(destination)
    wide = []
    for _, (table, destinations) in sorted(by_table.items()):
        other = "accepter" if world.fact(table, "network_id") == sides["requester"] else "requester"
        blocks = [d for d in destinations if _is_block(d)]
        routed = Blocks.of(*blocks)
        known = _cidrs(peering, other, world)
        covered = _covered(routed, known if isinstance(known, list) else [])
        if covered:
            wide.append({"table": table.id, "destinations": sorted(blocks), "covers": covered})
        elif isinstance(known, Gap):
            gap = gap or known
        elif len(blocks) < len(destinations):
            gap = gap or Gap(Reason.NOT_OFFERED, "", "Look at the prefix list.", f"{table.name} routes a prefix list over it")
    return {"wide_routes": wide, "wide_routes_known": gap or True}


def _is_block(text: str) -> bool:
    return "/" in text and not text.startswith(("arn:", "plan/"))


def _covered(routed: Blocks, known: Iterable[str]) -> str:
    """A block of the other side that is routed as a whole, or everything; empty where none is."""
    if routed.holds(Blocks.of("0.0.0.0/0")) or routed.holds(Blocks.of("::/0")):
        return "everything"
    return next((c for c in known if Blocks.of(c) != NOWHERE and routed.holds(Blocks.of(c))), "")


def _cidrs(peering: Resource, side: str, world: World) -> list[str] | Gap:
    """Address blocks of a side: as the peering tells them, else as its network does."""
    told = world.fact(peering, f"{side}_cidrs")
    if not isinstance(told, Gap):
        return list(told)
    identity = world.fact(peering, f"{side}_id")
    network = None if isinstance(identity, Gap) else world.get("network", str(identity))
    cidrs = told if network is None else world.fact(network, "cidrs")
    return cidrs if isinstance(cidrs, Gap) else list(cidrs)


# ---- transit gateways


def zone_name(network: Resource, world: World) -> str | Gap:
    """The zone of a network in one word: the declared one, else its part of the factory, else what a tag says; empty for none."""
    zone = zone_of(network, world)
    if zone is not None:
        return zone.ai_role or zone.name
    tags = by_name(network.tags)
    said = next((tags[t].strip().lower() for t in TAGS if tags.get(t, "").strip()), "")
    words = re.sub(r"[^a-z0-9]+", " ", said)
    meant = next((role for role, pattern in WORDS.items() if pattern.search(words)), "")
    role = world.fact(network, "ai_role")
    if meant or isinstance(role, Gap):
        return meant or role
    return said if role == "none" else str(role)


def _zone(target: str, near: Resource, world: World) -> str | Gap:
    network = world.get("network", target)
    return unseen(world, NETWORK, near, target) if network is None else zone_name(network, world)


def _is_network(target: str) -> bool:
    return ":vpc/" in target or target.startswith("plan/")


def table_facts(table: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Zones of what routes by a table, and of what its live routes lead to."""
    associations, routes = world.fact(table, "associations"), world.fact(table, "transit_routes")
    gap = associations if isinstance(associations, Gap) else None
    zones: set[str] = set()
    for target in (t for t in table.facts.get("associations") or [] if _is_network(t)):
        zone = _zone(target, table, world)
        if isinstance(zone, Gap):
            gap = gap or zone
        elif zone:
            zones.add(zone)
    reached, hidden = [], routes if isinstance(routes, Gap) else None
    for route in table.facts.get("transit_routes") or []:
        if route.get("active") is False or not _is_network(str(route["target"])):
            continue
        zone = _zone(str(route["target"]), table, world)
        if isinstance(zone, Gap):
            hidden = hidden or zone
        elif zone:
            reached.append({"zone": zone, **{k: route[k] for k in ("target", "destination", "route_type")}})
    return {
        "associated_zones": gap if gap is not None and "training" not in zones else sorted(zones),
        "reached_zones": reached,
        "reached_zones_known": hidden or True,
    }


def gateway_facts(gateway: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether the route tables of a transit gateway were seen: those of another account's are that account's to show."""
    seen = world.memo("domains.tables", lambda: _tables(world))
    if gateway.id in seen or planned(gateway):
        return {"domains_known": True}
    listing = world.listing(TRANSIT_TABLE, gateway.scope, gateway.region)
    if listing is None and account_of(gateway) in ("", gateway.scope):
        return {"domains_known": True}
    said = f"the route tables of {gateway.name} are shown to account {account_of(gateway)} only"
    return {"domains_known": listing or Gap(Reason.NOT_OFFERED, "", "Scan the account that owns it as well.", said)}


def _tables(world: World) -> set[str]:
    return {str(t.facts.get("gateway_id")) for t in world.all("route_table") if t.native_type == TRANSIT_TABLE}


ZONED: Mapping[str, tuple[str, ...]] = {NETWORK: ("cidrs",), **placement.READS}
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "link",
        ("wide_routes", "wide_routes_known"),
        peering_facts,
        needs=("requester_id", "accepter_id", "requester_cidrs", "accepter_cidrs"),
        reads={TABLE: ("routes", "network_id"), NETWORK: ("cidrs",)},
        native_types=(PEERING,),
    ),
    Derivation(
        "route_table",
        ("associated_zones", "reached_zones", "reached_zones_known"),
        table_facts,
        needs=("associations", "transit_routes"),
        reads=ZONED,
        native_types=(TRANSIT_TABLE,),
    ),
    Derivation("gateway", ("domains_known",), gateway_facts, reads={TRANSIT_TABLE: ("gateway_id",)}, native_types=(TRANSIT,)),
)
