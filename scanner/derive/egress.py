"""How subnets leave for the internet: what the live routes of their table lead to, and whether something looks at what leaves.

https://docs.aws.amazon.com/network-firewall/latest/developerguide/architectures.html
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scanner.derive import placement
from scanner.derive.addresses import INTERNET, Blocks
from scanner.derive.names import planned
from scanner.derive.network import SUBNET, TABLE, holds_accelerators, tables
from scanner.derive.three import Truth, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

NETWORK_FIREWALL = "AWS::NetworkFirewall::Firewall"
WIDE_V4, WIDE_V6 = 8, 16
"""Routes to blocks so wide lead to the internet, also where several of them make it up."""


def table_facts(table: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a route table's live routes to the internet lead to."""
    routes = world.fact(table, "routes")
    known = [r for r in table.facts.get("routes") or [] if r.get("active") is not False]
    found = [
        {k: r[k] for k in ("destination", "target", "target_type")}
        for r in known
        if r["target_type"] != "local" and _outside(str(r["destination"]))
    ]
    gap = routes if isinstance(routes, Gap) else None
    return {
        "exits": found,
        "has_exit": True if found else gap or False,
        "exits_inspected": gap or next((g for e in found if (g := _inspected(table, e, world)) is not None), None) or True,
    }


def _outside(destination: str) -> bool:
    """The block holds public addresses, and a good part of them. A prefix list is of a service, or of somebody."""
    block = destination if "/" in destination and not destination.startswith(("arn:", "plan/")) else None
    return (
        block is not None
        and int(block.rpartition("/")[2]) <= (WIDE_V6 if ":" in block else WIDE_V4)
        and bool(Blocks.of(block) & INTERNET)
    )


def _inspected(table: Resource, way: Mapping[str, Any], world: World) -> Gap | None:
    """Why it is not known what looks at packets that leave by an endpoint or a machine. Transit gateways lead to networks that look."""
    endpoints, gaps = world.memo("egress.firewalls", lambda: _firewalls(world))
    if way["target_type"] == "endpoint" and way["target"] not in endpoints:
        gap = None if planned(table) else gaps.get(table.scope) or world.listing(NETWORK_FIREWALL, table.scope, table.region)
        said = f"{way['target']} is of no network firewall seen here"
        return gap or Gap(Reason.NOT_OFFERED, "", "Look at the rules of the firewall behind it.", said)
    if way["target_type"] in ("interface", "other"):
        return Gap(Reason.NOT_OFFERED, "", "Look at what it leads to.", f"{way['target']} is not judged")
    return None


def _firewalls(world: World) -> tuple[set[str], dict[str, Gap]]:
    """Endpoints of network firewalls, and why some are unknown, by scope."""
    endpoints: set[str] = set()
    gaps: dict[str, Gap] = {}
    for firewall in world.all("firewall"):
        if firewall.native_type != NETWORK_FIREWALL:
            continue
        endpoints |= {str(e) for e in firewall.facts.get("endpoint_ids") or []}
        told = world.fact(firewall, "endpoint_ids")
        if isinstance(told, Gap):
            gaps.setdefault(firewall.scope, told)
    return endpoints, gaps


def table_accelerators(table: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a table rules a subnet with an accelerator node: its own ones, and as main table those that have no other."""
    own, main, network = (world.fact(table, f) for f in ("subnet_ids", "main", "network_id"))
    found: list[Truth] = [holds_accelerators(table, str(s), world) for s in table.facts.get("subnet_ids") or []]
    if isinstance(own, Gap):
        found.append(own)
    if main is not False:
        gap = next((g for g in (main, network, tables(world).gaps.get(table.scope)) if isinstance(g, Gap)), None)
        gap = gap or world.listing(SUBNET, table.scope, table.region)
        left = world.memo("network.untabled", lambda: _untabled(world)).get(str(network), ())
        found += [holds_accelerators(table, s, world) for s in left]
        found += [gap] if gap is not None else []
    return {"serves_accelerators": any_of(found)}


def _untabled(world: World) -> dict[str, list[str]]:
    """Network → its subnets without a table of their own."""
    found: dict[str, list[str]] = {}
    for subnet in world.all("subnet"):
        if subnet.id not in tables(world).explicit:
            found.setdefault(str(subnet.facts.get("network_id") or ""), []).append(subnet.id)
    return found


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "route_table",
        ("exits", "has_exit", "exits_inspected"),
        table_facts,
        needs=("routes",),
        reads={NETWORK_FIREWALL: ("endpoint_ids",)},
        native_types=(TABLE,),
    ),
    Derivation(
        "route_table",
        ("serves_accelerators",),
        table_accelerators,
        needs=("subnet_ids", "main", "network_id"),
        reads={SUBNET: ("network_id",), **placement.READS},
        native_types=(TABLE,),
    ),
)
