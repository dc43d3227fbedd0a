"""Networks that are joined, and how subnets leave."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.things import AFTER, arn, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

PEERING, TRANSIT, TABLE = "AWS::EC2::VPCPeeringConnection", "AWS::EC2::TransitGateway", "AWS::EC2::TransitGatewayRouteTable"
HERE, THERE = "arn:aws:ec2:us-east-1:111111111111:vpc/vpc-1", "arn:aws:ec2:us-east-1:111111111111:vpc/vpc-2"
PCX = arn("link", "pcx")


def of(subject: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None, settings: Any = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS, settings).fact(subject, fact)


def route(destination: str, kind: str = "peering", target: str = PCX, *, active: bool = True) -> dict[str, Any]:
    return {"destination": destination, "target": target, "target_type": kind, "active": active}


def table(name: str, network: str, *routes: dict[str, Any], **more: Any) -> Resource:
    return thing("route_table", name, network_id=network, main=False, subnet_ids=[], routes=list(routes), **more)


def peering(**changed: Any) -> Resource:
    facts = {
        "link_type": "peering", "requester_id": HERE, "accepter_id": THERE,
        "requester_cidrs": ["10.0.0.0/16"], "accepter_cidrs": ["10.1.0.0/16", "100.64.0.0/16"],
    } | changed  # fmt: skip
    return thing("link", "pcx", PEERING, **facts)


def wide(*tables: Resource, gaps: dict[str, Gap] | None = None, **changed: Any) -> tuple[Any, Any]:
    world = MemoryWorld([peering(**changed), *tables], gaps, DERIVATIONS)
    subject = world.get("link", PCX)
    assert subject
    return [w["covers"] for w in world.fact(subject, "wide_routes")], world.fact(subject, "wide_routes_known")


@pytest.mark.parametrize(
    ("routes", "covers"),
    [
        ([route("10.1.0.0/16")], ["10.1.0.0/16"]),
        ([route("10.0.0.0/8")], ["10.1.0.0/16"]),
        ([route("0.0.0.0/0")], ["everything"]),
        ([route("::/0")], ["everything"]),
        ([route("100.64.0.0/16")], ["100.64.0.0/16"]),  # a secondary block counts
        ([route("10.1.0.0/17"), route("10.1.128.0/17")], ["10.1.0.0/16"]),
        # the second inline route counts too: https://github.com/bridgecrewio/checkov/issues/6333
        ([route("10.1.0.0/28"), route("10.1.0.0/16")], ["10.1.0.0/16"]),
        ([route("10.1.0.0/17")], []),
        ([route("10.1.4.0/24")], []),
        ([route("10.1.0.0/16", active=False)], []),
        # only routes over the peering: https://github.com/prowler-cloud/prowler/pull/2887, https://github.com/Checkmarx/kics/issues/6973
        ([route("0.0.0.0/0", "nat", "nat-1"), route("10.1.0.0/16", "transit", "tgw"), route("10.0.0.0/16", "local", "local")], []),
        ([route("10.1.0.0/16", target=arn("link", "pcx-other"))], []),
    ],
)
def test_routes_over_a_peering(routes: list[dict[str, Any]], covers: list[str]) -> None:
    assert wide(table("rtb", HERE, *routes)) == (covers, True)


def test_each_side_is_judged_by_the_other_ones_blocks() -> None:
    assert wide(table("rtb", THERE, route("10.0.0.0/16"))) == (["10.0.0.0/16"], True)
    assert wide(table("rtb", THERE, route("10.1.0.0/16"))) == ([], True)


def test_what_is_not_seen_of_a_peering() -> None:
    hidden = {"accepter_cidrs": AFTER}
    subject = thing(
        "link",
        "pcx",
        PEERING,
        gaps=hidden,
        link_type="peering",
        requester_id=HERE,
        accepter_id=THERE,
        requester_cidrs=["10.0.0.0/16"],
    )
    narrow = table("rtb", HERE, route("10.1.4.0/24"))
    assert of(subject, "wide_routes", narrow) == []
    assert of(subject, "wide_routes_known", narrow) is AFTER
    assert of(subject, "wide_routes", table("rtb", HERE, route("0.0.0.0/0")))[0]["covers"] == "everything"
    other = thing("network", "vpc-2", id=THERE, cidrs=["10.1.0.0/16"])
    assert of(subject, "wide_routes", table("rtb", HERE, route("10.1.0.0/16")), other)[0]["covers"] == "10.1.0.0/16"
    assert wide(gaps={"AWS::EC2::RouteTable": DENIED}) == ([], DENIED)
    listed = wide(table("rtb", HERE, route("pl-1")))
    assert (listed[0], listed[1].reason) == ([], Reason.NOT_OFFERED)


def network(name: str, **tags: str) -> Resource:
    identity = {"vpc-1": HERE, "vpc-2": THERE}[name]
    return thing("network", name, id=identity, cidrs=["10.0.0.0/16"], is_default=False, tags=tags)


def transit(associations: list[str], *routes: tuple[str, str, str, bool], **more: Any) -> Resource:
    made = [{"destination": d, "target": t, "target_type": "vpc", "route_type": k, "active": a} for d, t, k, a in routes]
    return thing(
        "route_table", "tgw-rtb", TABLE, associations=associations, transit_routes=made, gateway_id=arn("gateway", "tgw"), **more
    )


def test_zones_of_a_transit_gateway() -> None:
    both = (network("vpc-1", Zone="training"), network("vpc-2", Zone="management"))
    found = transit([HERE], ("", THERE, "propagated", True))
    assert of(found, "associated_zones", *both) == ["training"]
    assert of(found, "reached_zones", *both) == [
        {"zone": "management", "target": THERE, "destination": "", "route_type": "propagated"}
    ]
    assert of(found, "reached_zones_known", *both) is True
    hole = transit([HERE], ("10.1.0.0/16", THERE, "static", False))
    assert of(hole, "reached_zones", *both) == []


@pytest.mark.parametrize(
    ("tags", "zone"),
    [
        ({"zone": "training"}, ["training"]),
        ({"zone": "gpu-pretraining"}, ["training"]),
        ({"NetworkZone": "Office"}, ["office"]),
        ({"ai-role": "inference"}, ["inference"]),
        ({"environment": "prod", "purpose": "training cluster"}, ["training"]),
        ({"team": "ml"}, []),
    ],
)
def test_where_a_zone_comes_from(tags: dict[str, str], zone: list[str]) -> None:
    assert of(transit([HERE]), "associated_zones", network("vpc-1", **tags)) == zone


def test_declared_zones_come_first() -> None:
    settings = {"zones": [{"name": "gpu", "networks": ["vpc-1"], "role": "training"}, {"name": "hq", "networks": ["vpc-2"]}]}
    both = (network("vpc-1", zone="office"), network("vpc-2", zone="training"))
    found = transit([HERE], ("0.0.0.0/0", THERE, "static", True))
    assert of(found, "associated_zones", *both, settings=settings) == ["training"]
    assert [w["zone"] for w in of(found, "reached_zones", *both, settings=settings)] == ["hq"]


def test_networks_that_were_not_seen_have_no_zone() -> None:
    mine = network("vpc-1", zone="training")
    far = "arn:aws:ec2:us-east-1:222222222222:vpc/vpc-9"
    assert of(transit([HERE, far]), "associated_zones", mine) == ["training"], "one that trains is enough"
    assert of(transit([far]), "associated_zones", mine).reason is Reason.NOT_OFFERED
    assert of(transit([HERE], ("", far, "propagated", True)), "reached_zones_known", mine).reason is Reason.NOT_OFFERED
    blind = thing("route_table", "tgw-rtb", TABLE, gaps={"transit_routes": DENIED, "associations": DENIED})
    assert of(blind, "associated_zones", mine) is DENIED
    assert of(blind, "reached_zones_known", mine) is DENIED


def test_attachments_that_are_no_networks_have_no_zone() -> None:
    vpn = "arn:aws:ec2:us-east-1:111111111111:transit-gateway-attachment/tgw-attach-1"
    found = transit([HERE, vpn], ("0.0.0.0/0", vpn, "static", True))
    assert of(found, "associated_zones", network("vpc-1", zone="training")) == ["training"]
    assert (of(found, "reached_zones"), of(found, "reached_zones_known")) == ([], True)


def test_tables_of_another_accounts_gateway() -> None:
    own = thing("gateway", "tgw", TRANSIT, gateway_type="transit", auto_accept=False)
    assert of(own, "domains_known") is True
    assert of(own, "domains_known", gaps={TABLE: DENIED}) is DENIED
    assert of(own, "domains_known", transit([]), gaps={TABLE: DENIED}) is True
    shared = thing("gateway", "tgw", TRANSIT, id="arn:aws:ec2:us-east-1:222222222222:transit-gateway/tgw-9", gateway_type="transit")
    answer = of(shared, "domains_known")
    assert (answer.reason, answer.remedy) == (Reason.NOT_OFFERED, "Scan the account that owns it as well.")


def test_a_transit_gateway_is_no_internet_gateway_and_its_tables_rule_no_subnets() -> None:
    vpc = thing("network", "vpc-1", id=HERE, cidrs=[], is_default=False)
    gateway = thing("gateway", "tgw", TRANSIT, gateway_type="transit", auto_accept=False)
    assert of(vpc, "internet_gateway", gateway, transit([HERE])) is False
    subnet = thing("subnet", "s", network_id=HERE)
    main = table("main", HERE).replace(facts={"network_id": HERE, "main": True, "subnet_ids": [], "routes": []})
    assert of(subnet, "internet_route", vpc, main, transit([HERE])) is False


# ---- egress

SUBNET = arn("subnet", "s-1")


def leaving(*routes: dict[str, Any], **more: Any) -> Resource:
    return thing("route_table", "rtb", network_id=HERE, main=False, subnet_ids=[SUBNET], routes=list(routes), **more)


@pytest.mark.parametrize(
    ("found", "exits"),
    [
        (route("0.0.0.0/0", "nat"), 1),
        (route("0.0.0.0/1", "nat"), 1),
        (route("::/0", "egress_only_gateway"), 1),
        (route("64.0.0.0/8", "internet_gateway"), 1),
        (route("203.0.113.0/24", "nat"), 0),
        (route("10.0.0.0/8", "transit"), 0),
        (route("fd00::/8", "transit"), 0),
        (route("0.0.0.0/0", "nat", active=False), 0),
        (route("pl-1", "endpoint"), 0),
        (route("10.0.0.0/16", "local", "local"), 0),
    ],
)
def test_exits(found: dict[str, Any], exits: int) -> None:
    assert len(of(leaving(found), "exits")) == exits
    assert of(leaving(found), "has_exit") is (exits == 1)


def test_routes_that_were_not_seen_may_leave() -> None:
    blind = thing("route_table", "rtb", gaps={"routes": AFTER}, network_id=HERE, main=False, subnet_ids=[SUBNET])
    assert (of(blind, "exits"), of(blind, "has_exit"), of(blind, "exits_inspected")) == ([], AFTER, AFTER)
    partly = thing(
        "route_table",
        "rtb",
        gaps={"routes": AFTER},
        routes=[route("0.0.0.0/0", "nat")],
        network_id=HERE,
        main=False,
        subnet_ids=[SUBNET],
    )
    assert of(partly, "has_exit") is True


def test_what_stands_behind_an_endpoint() -> None:
    door = leaving(route("0.0.0.0/0", "endpoint", "vpce-1"))
    wall = thing("firewall", "nfw", "AWS::NetworkFirewall::Firewall", endpoint_ids=["vpce-1"])
    assert of(door, "exits_inspected", wall) is True
    assert of(door, "exits_inspected").detail == "vpce-1 is of no network firewall seen here"
    assert of(door, "exits_inspected", gaps={"AWS::NetworkFirewall::Firewall": DENIED}) is DENIED
    dark = thing("firewall", "nfw", "AWS::NetworkFirewall::Firewall", gaps={"endpoint_ids": DENIED})
    assert of(door, "exits_inspected", dark) is DENIED
    assert of(leaving(route("0.0.0.0/0", "transit")), "exits_inspected") is True
    assert of(leaving(route("0.0.0.0/0", "interface")), "exits_inspected").reason is Reason.NOT_OFFERED


def node(subnet: str = SUBNET, *, accelerator: bool = True) -> Resource:
    return thing(
        "node", "n", accelerator=accelerator, subnet_ids=[subnet], network_id=HERE, firewall_ids=[], efa=False, efa_firewall_ids=[]
    )


def test_whose_table_it_is() -> None:
    subnet = thing("subnet", "s-1", network_id=HERE)
    assert of(leaving(), "serves_accelerators", subnet, node()) is True
    assert of(leaving(), "serves_accelerators", subnet, node(accelerator=False)) is False
    assert of(leaving(), "serves_accelerators", gaps={"AWS::EC2::Subnet": DENIED}) is DENIED
    assert of(leaving(), "serves_accelerators", subnet, gaps={"AWS::EC2::Instance": DENIED}) is DENIED
    main = thing("route_table", "main", network_id=HERE, main=True, subnet_ids=[], routes=[])
    assert of(main, "serves_accelerators", subnet, node()) is True, "a subnet without a table of its own"
    assert of(main, "serves_accelerators", subnet, node(), leaving()) is False, "it has one"
    assert of(main, "serves_accelerators", subnet, gaps={"AWS::EC2::Subnet": DENIED}) is DENIED
