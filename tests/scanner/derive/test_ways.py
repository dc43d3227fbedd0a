"""Ways from the internet: every link open, every link closed, every link unseen."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.fronts import LEADS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.things import AFTER, arn, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

VPC, SUBNET, IGW = arn("network", "vpc-1"), arn("subnet", "s-1"), arn("gateway", "igw-1")
ACL = "AWS::EC2::NetworkAcl"
BLOCK, EXCLUSION = "AWS::EC2::VPCBlockPublicAccessOptions", "AWS::EC2::VPCBlockPublicAccessExclusion"
TABLE_ID, ACL_ID, GROUP_ID, ENI = (
    arn("route_table", "rtb"),
    arn("firewall", "acl"),
    arn("firewall", "sg"),
    arn("interface", "eni-1"),
)


def route(
    destination: str = "0.0.0.0/0", kind: str = "internet_gateway", *, active: bool = True, target: str = IGW
) -> dict[str, Any]:
    return {"destination": destination, "target": target, "target_type": kind, "active": active}


def entry(
    source: str, first: int = 0, last: int = 65535, protocol: str = "tcp", action: str = "allow", priority: int = 0
) -> dict[str, Any]:
    kind = "prefix_list" if source.startswith("pl") else "cidr" if "/" in source and not source.startswith("arn") else "group"
    return {
        "protocol": protocol, "from_port": first, "to_port": last, "source": arn("firewall", source) if kind == "prefix_list" else source,
        "source_type": kind, "action": action, "priority": priority,
    }  # fmt: skip


ALL = entry("0.0.0.0/0", protocol="all", priority=100)
ALL6 = entry("::/0", protocol="all", priority=101)


def subnet(name: str = "s-1", cidr: str = "10.0.0.0/24") -> Resource:
    return thing("subnet", name, network_id=VPC, cidrs=[cidr])


def table(*routes: dict[str, Any], subnets: tuple[str, ...] = (SUBNET,), **more: Any) -> Resource:
    return thing("route_table", "rtb", network_id=VPC, main=False, subnet_ids=list(subnets), routes=list(routes), **more)


def acl(ingress: list[Any], egress: list[Any], *, subnets: tuple[str, ...] = (SUBNET,), name: str = "acl") -> Resource:
    return thing("firewall", name, ACL, network_id=VPC, is_default=False, subnet_ids=list(subnets), ingress=ingress, egress=egress)


def group(*entries: dict[str, Any], name: str = "sg", egress: tuple[Any, ...] = (ALL,), **more: Any) -> Resource:
    return thing("firewall", name, ingress=list(entries), egress=list(egress), **more)


def interface(
    number: int = 1, *, four: tuple[str, ...] = ("203.0.113.9",), six: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    return {
        "id": arn("interface", f"eni-{number}"), "subnet_id": SUBNET, "firewall_ids": [GROUP_ID], "public_addresses": list(four),
        "ipv6_addresses": list(six), "private_addresses": [f"10.0.0.{number}"], **more,
    }  # fmt: skip


def node(*interfaces: dict[str, Any], **facts: Any) -> Resource:
    return thing("node", "n", network_id=VPC, interfaces=list(interfaces or (interface(),)), state="running", **facts)


OPEN = {
    "node": node(), "subnet": subnet(), "table": table(route()), "acl": acl([ALL, ALL6], [ALL, ALL6]),
    "group": group(entry("0.0.0.0/0", 22, 22)),
}  # fmt: skip
WAY = {
    "path": [IGW, TABLE_ID, ACL_ID, GROUP_ID, ENI, arn("node", "n")],
    "sources": ["0.0.0.0/0"],
    "protocol": "tcp",
    "ports": ["22"],
}


def ways(gaps: dict[str, Gap] | None = None, *more: Resource, **changed: Resource | None) -> tuple[Any, Any]:
    things = [r for r in {**OPEN, **changed}.values() if r is not None]
    world = MemoryWorld([*things, *more], gaps, DERIVATIONS)
    subject = next(r for r in things if r.kind == "node")
    return world.fact(subject, "internet_ways"), world.fact(subject, "internet_ways_known")


def test_all_open() -> None:
    assert ways() == ([WAY], True)


@pytest.mark.parametrize(
    "changed",
    [
        {"node": node(interface(four=()))},
        {"node": node(interface(four=(), six=("2600::1",)))},  # no route for IPv6
        {"table": table()},
        {"table": table(route(active=False))},
        {"table": table(route(kind="nat"))},
        {"table": table(route(), route("0.0.0.0/1", "nat"), route("128.0.0.0/1", "transit"))},
        {"table": table(route("10.9.0.0/16"))},
        {"node": node(interface(four=(), six=("2600::1",))), "table": table(route("::/0", "egress_only_gateway"))},
        {"acl": acl([], [ALL])},
        {"acl": acl([entry("0.0.0.0/0", 22, 22, action="deny", priority=1), ALL], [ALL])},
        {"acl": acl([ALL], [])},
        {"acl": acl([ALL], [entry("0.0.0.0/0", 0, 1023)])},
        {"acl": acl([ALL], [entry("10.0.0.0/8")])},
        {"group": group()},
        {"group": group(entry("10.0.0.0/8"))},
        {"group": group(entry(arn("firewall", "sg-other")))},
        {"group": group(entry("0.0.0.0/0", -1, -1, "icmp"))},
        {"group": group(entry("2600::/16"))},
        {"group": group(entry("0.0.0.0/0", 22, 22)), "acl": acl([entry("0.0.0.0/0", 443, 443)], [ALL])},
    ],
)
def test_one_closed_link_is_enough(changed: dict[str, Resource]) -> None:
    assert ways(None, **changed) == ([], True)


@pytest.mark.parametrize(
    ("changed", "gaps", "gap"),
    [
        ({"subnet": None}, {"AWS::EC2::Subnet": DENIED}, DENIED),
        ({"table": None}, {"AWS::EC2::RouteTable": DENIED}, DENIED),
        ({"acl": None}, {ACL: DENIED}, DENIED),
        ({"group": None}, {"AWS::EC2::SecurityGroup": DENIED}, DENIED),
        ({"group": thing("firewall", "sg", gaps={"ingress": AFTER})}, {}, AFTER),
        ({"acl": thing("firewall", "acl", ACL, gaps={"ingress": AFTER}, network_id=VPC, is_default=False, subnet_ids=[SUBNET], egress=[ALL])}, {}, AFTER),
        ({"acl": thing("firewall", "acl", ACL, gaps={"egress": AFTER}, network_id=VPC, is_default=False, subnet_ids=[SUBNET], ingress=[ALL])}, {}, AFTER),
        ({"table": thing("route_table", "rtb", gaps={"routes": AFTER}, network_id=VPC, main=False, subnet_ids=[SUBNET])}, {}, AFTER),
        ({"node": thing("node", "n", gaps={"interfaces": AFTER}, network_id=VPC)}, {}, AFTER),
        ({}, {BLOCK: DENIED}, DENIED),
    ],
)  # fmt: skip
def test_one_unseen_link_is_unknown(changed: dict[str, Resource | None], gaps: dict[str, Gap], gap: Gap) -> None:
    assert ways(gaps, **changed) == ([], gap)


def test_an_unseen_link_behind_a_closed_one_does_not_matter() -> None:
    assert ways({ACL: DENIED}, acl=None, group=group()) == ([], True)
    assert ways({"AWS::EC2::SecurityGroup": DENIED}, group=None, table=table()) == ([], True)
    assert ways({BLOCK: DENIED}, acl=acl([ALL], [])) == ([], True)


def test_known_entries_prove_a_way_though_others_are_unseen() -> None:
    partly = group(entry("0.0.0.0/0", 22, 22), gaps={"ingress": AFTER})
    assert ways(None, group=partly) == ([WAY], AFTER)


def test_six_is_as_good_as_four() -> None:
    six = {"node": node(interface(four=(), six=("2600::1",))), "table": table(route(), route("::/0"))}
    assert ways(None, group=group(entry("::/0", 22, 22)), **six) == ([WAY | {"sources": ["::/0"]}], True)
    assert ways(None, group=group(entry("0.0.0.0/0", 22, 22)), **six) == ([], True)
    assert ways(None, group=group(entry("::/0", 22, 22)), acl=acl([ALL], [ALL]), **six) == ([], True)


def test_halves_splits_and_every_protocol() -> None:
    found, known = ways(None, group=group(entry("0.0.0.0/1", 22, 22), entry("128.0.0.0/1", 22, 22)))
    assert (found, known) == ([WAY], True)
    found, known = ways(None, group=group(ALL))
    assert known is True
    assert [(w["protocol"], w["ports"]) for w in found] == [("tcp", ["0-65535"]), ("udp", ["0-65535"])]
    (found, _) = ways(None, group=group(entry("0.0.0.0/0", -1, -1, "47")))
    assert [(w["protocol"], w["ports"]) for w in found] == [("47", [])]


def test_entries_of_an_acl_are_read_in_order() -> None:
    rules = [
        entry("0.0.0.0/0", 20, 30, action="deny", priority=200),
        ALL,
        entry("203.0.113.0/24", 22, 22, action="deny", priority=50),
    ]
    found, known = ways(None, acl=acl(rules, [ALL]))
    assert known is True
    assert found[0]["ports"] == ["22"]
    assert "203.0.113.0/24" not in found[0]["sources"]
    assert found[0]["sources"][0] == "0.0.0.0/1"


def test_a_longer_prefix_and_a_black_hole_take_their_part() -> None:
    narrow = group(entry("198.51.100.0/24", 22, 22))
    assert ways(None, group=narrow)[0] == [WAY | {"sources": ["198.51.100.0/24"]}]
    assert ways(None, group=narrow, table=table(route(), route("198.51.100.0/24", "transit"))) == ([], True)
    assert ways(None, group=narrow, table=table(route(), route("198.51.0.0/16", active=False))) == ([], True)


def test_prefix_lists() -> None:
    by_list = group(entry("pl-1", 22, 22))
    seen = thing("firewall", "pl-1", "AWS::EC2::PrefixList", firewall_type="prefix_list", cidrs=["198.51.100.0/24"])
    assert ways(None, seen, group=by_list) == ([WAY | {"sources": ["198.51.100.0/24"]}], True)
    assert ways({"AWS::EC2::PrefixList": DENIED}, group=by_list) == ([], DENIED)
    private = thing("firewall", "pl-1", "AWS::EC2::PrefixList", firewall_type="prefix_list", cidrs=["10.0.0.0/8"])
    assert ways(None, private, group=by_list) == ([], True)
    # a route to S3 is no route for the internet, whatever is in the list
    assert ways({"AWS::EC2::PrefixList": DENIED}, table=table(route(), route("pl-2", "endpoint")))[0] == [WAY]


def test_a_firewall_in_between_is_not_judged() -> None:
    found, known = ways(None, table=table(route(kind="endpoint", target="vpce-1")))
    assert (found, known.reason) == ([], Reason.NOT_OFFERED)
    assert "vpce-1" in known.detail


def block(mode: str) -> Resource:
    return thing("account", "bpa", BLOCK, internet_gateway_block=mode)


@pytest.mark.parametrize("mode", ["ingress", "bidirectional"])
def test_block_of_public_access(mode: str) -> None:
    assert ways(None, block("off")) == ([WAY], True)
    assert ways(None, block(mode)) == ([], True)
    assert ways({EXCLUSION: DENIED}, block(mode)) == ([], DENIED)
    for place in (VPC, SUBNET):
        out = thing("account", "x", EXCLUSION, excluded_id=place, exclusion_mode="egress")
        through = thing("account", "x", EXCLUSION, excluded_id=place, exclusion_mode="bidirectional")
        assert ways(None, block(mode), out) == ([], True)
        assert ways(None, block(mode), through) == ([WAY], True)


def test_where_the_block_does_not_exist_it_blocks_nothing() -> None:
    assert ways({BLOCK: Gap(Reason.SERVICE_OFF, "x", "y")}) == ([WAY], True)


def test_all_32_interfaces_count() -> None:
    fabric = [interface(n, four=()) for n in range(1, 32)]
    found, known = ways(None, node=node(*fabric, interface(32)))
    assert known is True
    assert [w["path"][-2] for w in found] == [arn("interface", "eni-32")]


def test_a_node_of_a_plan() -> None:
    network = planned("network", "aws_vpc.v", cidrs=["10.0.0.0/16"], is_default=False)
    place = planned("subnet", "aws_subnet.s", network_id=network.id, cidrs=["10.0.0.0/24"])
    routes = planned(
        "route_table",
        "aws_route_table.r",
        network_id=network.id,
        main=False,
        subnet_ids=[place.id],
        routes=[route(target="plan/aws_internet_gateway.g")],
    )
    door = planned("firewall", "aws_security_group.g", ingress=[entry("0.0.0.0/0", 22, 22)], egress=[])
    facing = {
        "id": "plan/aws_instance.n",
        "subnet_id": place.id,
        "firewall_ids": [door.id],
        "public_addresses": ["assigned"],
        "ipv6_addresses": [],
        "private_addresses": [],
    }
    subject = planned("node", "aws_instance.n", interfaces=[facing], balanced_by=[], gaps={"state": AFTER})
    world = MemoryWorld([network, place, routes, door, subject], {}, DERIVATIONS)
    assert world.fact(subject, "internet_ways") == [
        {
            "path": ["plan/aws_internet_gateway.g", "plan/aws_route_table.r", "plan/aws_security_group.g", "plan/aws_instance.n"],
            "sources": ["0.0.0.0/0"],
            "protocol": "tcp",
            "ports": ["22"],
        }
    ]
    assert world.fact(subject, "internet_ways_known") is True
    assert world.fact(subject, "runs") is True
    elsewhere = MemoryWorld([place.replace(facts={**place.facts, "network_id": "vpc-9"}), routes, door, subject], {}, DERIVATIONS)
    assert elsewhere.fact(subject, "internet_ways") == []
    assert elsewhere.fact(subject, "internet_ways_known").remedy == "Scan the account as well."


def test_who_runs() -> None:
    for state, runs in (("running", True), ("pending", True), ("stopped", False), ("stopping", False)):
        subject = thing("node", "n", state=state)
        assert MemoryWorld([subject], {}, DERIVATIONS).fact(subject, "runs") is runs
    subject = thing("node", "n", gaps={"state": DENIED})
    assert MemoryWorld([subject], {}, DERIVATIONS).fact(subject, "runs") is DENIED


# ---- load balancers

EDGE = arn("subnet", "s-edge")
LB, LISTENER, TG = "arn:aws:elb:lb", "arn:aws:elb:listener", "arn:aws:elb:tg"


def endpoint(kind: str, identity: str, gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    return thing("endpoint", identity, f"AWS::ElasticLoadBalancingV2::{kind}", gaps, id=identity, **facts)


def balancer(**changed: Any) -> Resource:
    facts = {"internet_facing": True, "subnet_ids": [EDGE], "dual_stack": False, "firewall_ids": [arn("firewall", "lb")]} | changed
    return endpoint("LoadBalancer", LB, **facts)


def half(unknown: str) -> Resource:
    """The load balancer with one fact that is known after apply."""
    known = {k: v for k, v in balancer().facts.items() if k != unknown}
    return endpoint("LoadBalancer", LB, {unknown: AFTER}, **known)


def listener(port: int = 443, protocol: str = "https") -> Resource:
    return endpoint("Listener", LISTENER, target_group_ids=[TG], balancer_id=LB, protocol=protocol, port=port)


def targets(*found: tuple[str, int], kind: str = "instance", keeps: bool = False, **more: Any) -> Resource:
    listed = [{"id": i, "port": p} for i, p in found]
    return endpoint("TargetGroup", TG, target_type=kind, network_id=VPC, targets=listed, preserves_client=keeps, **more)


PRIVATE = {
    "node": node(interface(four=())),
    "table": None,
    "inner": thing("route_table", "inner", network_id=VPC, main=False, subnet_ids=[SUBNET], routes=[]),
    "outer": thing("route_table", "rtb", network_id=VPC, main=False, subnet_ids=[EDGE], routes=[route()]),
    "edge": subnet("s-edge", "10.0.9.0/24"),
    "edge_acl": acl([ALL], [ALL], subnets=(EDGE,), name="edge"),
    "group": group(entry(arn("firewall", "lb"), 8000, 8000)),
    "lb_group": group(entry("0.0.0.0/0", 443, 443), name="lb"),
    "lb": balancer(),
    "listener": listener(),
    "tg": targets((arn("node", "n"), 8000)),
}
THROUGH = {
    "path": [
        IGW, TABLE_ID, arn("firewall", "edge"), arn("firewall", "lb"), LB, LISTENER, TG, ACL_ID, GROUP_ID, ENI, arn("node", "n"),
    ],
    "sources": ["0.0.0.0/0"],
    "protocol": "tcp",
    "ports": ["443"],
}  # fmt: skip


def balanced(gaps: dict[str, Gap] | None = None, **changed: Resource | None) -> tuple[Any, Any]:
    return ways(gaps, **(PRIVATE | changed))


def test_through_a_load_balancer() -> None:
    assert balanced() == ([THROUGH], True)
    assert balanced(tg=targets(("10.0.0.1", 8000), kind="ip")) == ([THROUGH], True)
    assert balanced(group=group(entry("10.0.9.0/28", 8000, 8000))) == ([THROUGH], True)


@pytest.mark.parametrize(
    "changed",
    [
        {"lb": balancer(internet_facing=False)},
        {"outer": thing("route_table", "rtb", network_id=VPC, main=False, subnet_ids=[EDGE], routes=[])},
        {"lb_group": group(entry("10.0.0.0/8"), name="lb")},
        {"lb_group": group(entry("0.0.0.0/0", 80, 80), name="lb")},
        {"lb_group": group(entry("0.0.0.0/0"), name="lb", egress=(entry("10.0.0.0/24", 9000, 9000),))},
        {"group": group(entry(arn("firewall", "other"), 8000, 8000))},
        {"group": group(entry(arn("firewall", "lb"), 9000, 9000))},
        {"group": group(entry("10.0.8.0/24", 8000, 8000))},
        {"acl": acl([entry("10.0.0.0/24", protocol="all")], [ALL])},
        {"acl": acl([ALL], [])},
        {"edge_acl": acl([ALL], [entry("0.0.0.0/0", 443, 443)], subnets=(EDGE,), name="edge")},
        {"tg": targets((arn("node", "m"), 8000))},
        {"tg": targets(("10.0.0.2", 8000), kind="ip")},
        {"listener": None},
    ],
)
def test_one_closed_link_of_a_load_balancer_is_enough(changed: dict[str, Resource | None]) -> None:
    assert balanced(None, **changed) == ([], True)


@pytest.mark.parametrize(
    ("changed", "gaps", "gap"),
    [
        ({"lb": None}, {"AWS::ElasticLoadBalancingV2::LoadBalancer": DENIED}, DENIED),
        ({"listener": None}, {"AWS::ElasticLoadBalancingV2::Listener": DENIED}, DENIED),
        ({"tg": None}, {"AWS::ElasticLoadBalancingV2::TargetGroup": DENIED}, DENIED),
        ({"lb_group": None}, {"AWS::EC2::SecurityGroup": DENIED}, DENIED),
        ({"group": None}, {"AWS::EC2::SecurityGroup": DENIED}, DENIED),
        ({"edge": None}, {"AWS::EC2::Subnet": DENIED}, DENIED),
        ({"tg": endpoint("TargetGroup", TG, {"targets": AFTER}, target_type="instance", network_id=VPC)}, {}, AFTER),
        ({"lb": half("internet_facing")}, {}, AFTER),
        # a load balancer whose subnets or groups are not known yet lets through what its targets let in from it, wherever it stands
        ({"lb": half("subnet_ids")}, {}, AFTER),
        ({"lb": half("firewall_ids")}, {}, AFTER),
        ({"lb": half("firewall_ids"), "tg": targets((arn("node", "n"), 8000), keeps=True)}, {}, AFTER),
        (
            {"lb": None},
            {"AWS::ElasticLoadBalancing::LoadBalancer": DENIED, "AWS::ElasticLoadBalancingV2::LoadBalancer": DENIED},
            DENIED,
        ),
    ],
)
def test_one_unseen_link_of_a_load_balancer_is_unknown(changed: dict[str, Resource | None], gaps: dict[str, Gap], gap: Gap) -> None:
    assert balanced(gaps, **changed) == ([], gap)


def test_a_network_load_balancer_without_groups() -> None:
    bare = balancer(firewall_ids=[])
    tcp = listener(8000, "tcp")
    inside = group(entry("10.0.9.0/24", 8000, 8000))
    found, known = balanced(lb=bare, listener=tcp, lb_group=None, group=inside)
    assert known is True
    assert [(w["ports"], w["sources"]) for w in found] == [(["8000"], ["0.0.0.0/0"])]


def test_where_the_client_is_kept_the_targets_group_sees_it() -> None:
    bare, tcp = balancer(firewall_ids=[]), listener(8000, "tcp")
    keeps = targets((arn("node", "n"), 9000), keeps=True)
    assert balanced(lb=bare, listener=tcp, lb_group=None, tg=keeps, group=group(entry("10.0.9.0/24", 9000, 9000))) == ([], True)
    found, known = balanced(lb=bare, listener=tcp, lb_group=None, tg=keeps, group=group(entry("198.51.100.0/24", 9000, 9000)))
    assert known is True
    assert [w["ports"] for w in found] == [["8000"]]
    assert found[0]["path"][-3] == GROUP_ID


def test_udp_listeners_carry_udp() -> None:
    bare, udp = balancer(firewall_ids=[]), listener(9000, "tcp_udp")
    found, _ = balanced(lb=bare, listener=udp, lb_group=None, group=group(entry("10.0.9.0/24", 8000, 8000, "udp")))
    assert [(w["protocol"], w["ports"]) for w in found] == [("udp", ["9000"])]


def test_a_chain_of_load_balancers_is_not_followed() -> None:
    chain = endpoint("TargetGroup", "arn:aws:elb:front", target_type="alb", network_id=VPC, targets=[{"id": LB, "port": 443}])
    found, known = balanced(lb=balancer(internet_facing=False), chain=chain)
    assert found == []
    assert "another load balancer" in known.detail


def test_a_target_in_a_peered_network_is_not_followed() -> None:
    own = thing("network", "vpc-1", cidrs=["10.0.0.0/16"], is_default=False)
    edge = thing("network", "vpc-2", cidrs=["10.9.0.0/16"], is_default=False)
    facts = {"target_type": "ip", "targets": [{"id": "10.0.0.1", "port": 8000}], "preserves_client": False}
    found, known = balanced(tg=endpoint("TargetGroup", TG, network_id=edge.id, **facts), own=own, net=edge)
    assert found == []
    assert "another network" in known.detail
    assert balanced(tg=endpoint("TargetGroup", TG, network_id=own.id, **facts), own=own, net=edge) == ([THROUGH], True)


def test_every_group_of_an_address_elsewhere_counts() -> None:
    """The first one that forwards to the address may have no listener."""
    own = thing("network", "vpc-1", cidrs=["10.0.0.0/16"], is_default=False)
    edge = thing("network", "vpc-2", cidrs=["10.9.0.0/16"], is_default=False)
    facts = {"target_type": "ip", "network_id": edge.id, "targets": [{"id": "10.0.0.1", "port": 8000}], "preserves_client": False}
    idle = endpoint("TargetGroup", "arn:aws:elb:a-tg", **facts)
    found, known = balanced(tg=endpoint("TargetGroup", TG, **facts), idle=idle, own=own, net=edge)
    assert found == []
    assert "another network" in known.detail


def test_pods_behind_prefixes_are_targets() -> None:
    """https://docs.aws.amazon.com/eks/latest/userguide/cni-increase-ip-addresses.html"""
    prefixed = node(interface(four=(), private_addresses=["10.0.0.1", "10.0.0.16/28"]))
    assert balanced(node=prefixed, tg=targets(("10.0.0.19", 8000), kind="ip")) == ([THROUGH], True)
    assert balanced(node=prefixed, tg=targets(("10.0.0.35", 8000), kind="ip")) == ([], True)


CLB = "arn:aws:elasticloadbalancing:us-east-1:111111111111:loadbalancer/old"


def classic(**changed: Any) -> Resource:
    facts = {
        "internet_facing": True, "subnet_ids": [EDGE], "dual_stack": False, "firewall_ids": [arn("firewall", "lb")],
        "targets": [{"id": arn("node", "n"), "port": 8000}],
        "listeners": [{"port": 443, "protocol": "https", "target_port": 8000, "target_protocol": "http"}],
    }  # fmt: skip
    return thing("endpoint", CLB, "AWS::ElasticLoadBalancing::LoadBalancer", id=CLB, **(facts | changed))


def test_through_a_classic_load_balancer() -> None:
    bare: dict[str, Resource | None] = {"lb": None, "listener": None, "tg": None}
    path = [p for p in THROUGH["path"] if p not in (LISTENER, TG, LB)]
    path.insert(path.index(arn("firewall", "lb")) + 1, CLB)
    assert balanced(**bare, old=classic()) == ([THROUGH | {"path": path}], True)
    assert balanced(**bare, old=classic(internet_facing=False)) == ([], True)
    assert balanced(**bare, old=classic(targets=[])) == ([], True)
    assert balanced(**bare, old=classic(), group=group(entry(arn("firewall", "lb"), 9000, 9000))) == ([], True)
    assert balanced(**bare, old=classic(), lb_group=group(entry("10.0.0.0/8", 443, 443), name="lb")) == ([], True)
    assert balanced({"AWS::ElasticLoadBalancing::LoadBalancer": DENIED}, **bare) == ([], DENIED)


# ---- what leads to load balancers and nodes from outside


def lead(native: str, *to: str, enabled: bool = True, **more: Any) -> Resource:
    return thing("endpoint", "lead", native, enabled=enabled, leads_to=list(to), **({"subnet_ids": []} | more))


@pytest.mark.parametrize("native", LEADS)
def test_what_leads_to_a_load_balancer_or_a_node_is_unknown(native: str) -> None:
    inner = balancer(internet_facing=False)
    found, known = balanced(lb=inner, lead=lead(native, LB))
    assert (found, known.reason) == ([], Reason.NOT_OFFERED)
    assert "leads to" in known.detail
    assert balanced(lb=inner, lead=lead(native, LB, enabled=False)) == ([], True)
    assert balanced(lb=inner, lead=lead(native, "arn:aws:elb:another")) == ([], True)
    assert balanced(lb=inner, lead=lead(native, LB), group=group(entry("10.0.9.0/24", 9000, 9000))) == ([], True)
    found, known = balanced(lb=None, listener=None, tg=None, lead=lead(native, arn("node", "n")))
    assert (found, known.reason) == ([], Reason.NOT_OFFERED)
    assert balanced({native: DENIED}, lb=inner) == ([], DENIED)
    assert balanced({native: Gap(Reason.SERVICE_OFF, "x", "y")}, lb=inner) == ([], True)
    half = thing("endpoint", "lead", native, {"leads_to": DENIED}, enabled=True, subnet_ids=[])
    assert balanced(lb=inner, lead=half) == ([], DENIED)


def test_custom_routing_leads_to_subnets_and_accelerators_to_addresses() -> None:
    alone: dict[str, Resource | None] = {"lb": None, "listener": None, "tg": None}
    found, known = balanced(**alone, lead=lead(LEADS[1], SUBNET))
    assert (found, known.reason) == ([], Reason.NOT_OFFERED)
    address = lead(LEADS[0], "arn:aws:ec2:us-east-1:111111111111:elastic-ip/eipalloc-1")
    assert balanced(**alone, lead=address) == ([], True)
    assert balanced(**alone, lead=address, node=node()) == ([], True)
    found, known = balanced(**alone, lead=address, node=node(), group=group(entry("198.51.100.0/24", 8000, 8000)))
    assert (found, known.reason) == ([], Reason.NOT_OFFERED)


def test_links_of_http_apis_reach_what_lets_their_subnets_in() -> None:
    alone: dict[str, Resource | None] = {"lb": None, "listener": None, "tg": None}
    link = lead(LEADS[4], subnet_ids=[EDGE], firewall_ids=[arn("firewall", "link")])
    assert balanced(**alone, lead=link) == ([], True)
    for source in (arn("firewall", "link"), "10.0.9.0/24"):
        found, known = balanced(**alone, lead=link, group=group(entry(source, 8000, 8000)))
        assert (found, known.reason) == ([], Reason.NOT_OFFERED)
    found, known = balanced(lb=balancer(internet_facing=False), lead=link)
    assert (found, known.reason) == ([], Reason.NOT_OFFERED)


def test_a_plans_node_in_a_group_outside_of_the_plan() -> None:
    place = planned("subnet", "aws_subnet.s", network_id="plan/aws_vpc.v", cidrs=["10.0.0.0/24"])
    facing = {
        "id": "plan/aws_instance.n", "subnet_id": place.id, "firewall_ids": [], "public_addresses": [], "ipv6_addresses": [],
        "private_addresses": [],
    }  # fmt: skip
    group_arn = "arn:aws:elasticloadbalancing:us-east-1:111111111111:targetgroup/edge/1"
    for held, gaps in (({"balanced_by": [group_arn]}, {}), ({}, {"balanced_by": AFTER})):
        subject = planned("node", "aws_instance.n", interfaces=[facing], gaps=gaps, **held)
        known = MemoryWorld([place, subject], {}, DERIVATIONS).fact(subject, "internet_ways_known")
        assert isinstance(known, Gap)
        assert known == AFTER or group_arn in known.detail
    subject = planned("node", "aws_instance.n", interfaces=[facing], balanced_by=[])
    off = Gap(Reason.NOT_OFFERED, "", "")
    assert MemoryWorld([place, subject], dict.fromkeys(LEADS, off), DERIVATIONS).fact(subject, "internet_ways_known") is True


def test_both_ways_are_told_apart() -> None:
    found, _ = balanced(
        node=node(),
        inner=thing("route_table", "inner", network_id=VPC, main=False, subnet_ids=[SUBNET], routes=[route()]),
        group=group(entry(arn("firewall", "lb"), 8000, 8000), entry("203.0.113.0/24", 22, 22)),
    )
    assert [(w["ports"], w["sources"]) for w in found] == [(["443"], ["0.0.0.0/0"]), (["22"], ["203.0.113.0/24"])]


def test_a_thousand_nodes_are_one_pass() -> None:
    many = [
        node().replace(id=arn("node", f"n-{i}"), facts={**node().facts, "interfaces": [interface(i % 250)]}) for i in range(1000)
    ]
    things = [r for k, r in (OPEN | PRIVATE).items() if r is not None and k not in ("node", "outer")]
    world = MemoryWorld([*things, table(route(), subnets=(SUBNET, EDGE)), *many], {}, DERIVATIONS)
    for subject in many:
        assert world.fact(subject, "internet_ways_known") is True
    assert world.reads < 3 * len(world.resources), "no derivation walks a kind once a node"
