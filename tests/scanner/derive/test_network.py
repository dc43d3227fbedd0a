"""Routes, gateways, placement."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.network import ACL, leads_out
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.things import AFTER, arn, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

VPC = arn("network", "vpc-1")
SUBNET = arn("subnet", "s-1")


def of(subject: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, fact)


def route(destination: str, target_type: str = "internet_gateway", *, active: bool = True) -> dict[str, Any]:
    return {"destination": destination, "target": "x", "target_type": target_type, "active": active}


def network(**facts: Any) -> Resource:
    return thing("network", "vpc-1", cidrs=["10.0.0.0/16"], is_default=False, **facts)


def subnet(name: str = "s-1") -> Resource:
    return thing("subnet", name, network_id=VPC)


def table(name: str, *routes: dict[str, Any], main: bool = False, subnets: tuple[str, ...] = ()) -> Resource:
    return thing("route_table", name, network_id=VPC, main=main, subnet_ids=list(subnets), routes=list(routes))


@pytest.mark.parametrize(
    ("routes", "answer"),
    [
        ([], False),
        ([route("0.0.0.0/0")], True),
        ([route("::/0")], True),
        ([route("2000::/3")], True),
        ([route("0.0.0.0/1"), route("128.0.0.0/1")], True),
        ([route("128.0.0.0/1")], True),
        ([route(f"{n << 2}.0.0.0/6") for n in range(40)], True),
        ([route("203.0.113.0/24")], False),
        ([route("0.0.0.0/0", active=False)], False),
        ([route("0.0.0.0/0", "nat")], False),
        ([route("::/0", "egress_only_gateway")], False),
        ([route("0.0.0.0/0", "transit"), route("10.0.0.0/16", "local")], False),
    ],
)
def test_leads_out(routes: list[dict[str, Any]], answer: object) -> None:
    assert leads_out(routes) is answer


def test_a_prefix_list_may_be_the_internet() -> None:
    answer = leads_out([route("pl-1")])
    assert isinstance(answer, Gap)
    assert "pl-1" in answer.detail
    assert leads_out([route("pl-1"), route("0.0.0.0/0")]) is True
    assert leads_out([route("pl-1", "endpoint")]) is False


def test_prowler_5046_a_subnet_without_a_table_of_its_own_has_the_main_one() -> None:
    main, other = table("rtb-main", route("0.0.0.0/0"), main=True), table("rtb-2", subnets=(arn("subnet", "s-2"),))
    assert of(subnet(), "internet_route", network(), main, other) is True
    assert of(subnet("s-2"), "internet_route", network(), main, other) is False


def test_route_gaps() -> None:
    own = table("rtb-1", route("0.0.0.0/0"), subnets=(SUBNET,))
    assert of(subnet(), "internet_route", network(), own, gaps={"AWS::EC2::RouteTable": DENIED}) is True
    assert of(subnet(), "internet_route", network(), gaps={"AWS::EC2::RouteTable": DENIED}) is DENIED
    unknown = thing("route_table", "rtb-3", gaps={"subnet_ids": DENIED}, network_id=VPC, main=False, routes=[])
    assert of(subnet(), "internet_route", network(), table("m", main=True), unknown) is DENIED
    dark = thing("route_table", "rtb-4", gaps={"routes": AFTER}, network_id=VPC, main=False, subnet_ids=[SUBNET])
    assert of(subnet(), "internet_route", network(), dark) is AFTER
    partly = thing(
        "route_table", "rtb-4", gaps={"routes": AFTER}, network_id=VPC, main=False, subnet_ids=[SUBNET], routes=[route("0.0.0.0/0")]
    )
    assert of(subnet(), "internet_route", network(), partly) is True


def test_a_live_network_without_a_main_table_was_not_read_whole() -> None:
    assert of(subnet(), "internet_route", network()).reason is Reason.UNPARSABLE


def test_routes_of_a_plan() -> None:
    made = planned("network", "aws_vpc.v", cidrs=["10.0.0.0/16"])
    here = planned("subnet", "aws_subnet.s", network_id=made.id)
    assert of(here, "internet_route", made) is False, "a new network's main table has the local route alone"
    elsewhere = planned("subnet", "aws_subnet.s", network_id="vpc-123")
    answer = of(elsewhere, "internet_route")
    assert (answer.reason, answer.remedy) == (Reason.NOT_OFFERED, "Scan the account as well.")


def test_nodes_route_through_any_of_their_subnets() -> None:
    main, out = table("m", main=True), table("o", route("0.0.0.0/0"), subnets=(arn("subnet", "s-2"),))
    world = (network(), subnet(), subnet("s-2"), main, out)
    assert of(thing("node", "n", subnet_ids=[SUBNET, arn("subnet", "s-2")]), "internet_route", *world) is True
    assert of(thing("node", "n", subnet_ids=[SUBNET]), "internet_route", *world) is False
    assert of(thing("node", "n", gaps={"subnet_ids": DENIED}), "internet_route", *world) is DENIED
    assert (
        of(thing("node", "n", subnet_ids=[arn("subnet", "s-9")]), "internet_route", *world, gaps={"AWS::EC2::Subnet": DENIED})
        is DENIED
    )


def test_internet_gateway() -> None:
    door = thing("gateway", "igw", gateway_type="internet", network_ids=[VPC])
    assert of(network(), "internet_gateway", door) is True
    assert of(network(), "internet_gateway") is False
    assert of(network(), "internet_gateway", gaps={"AWS::EC2::InternetGateway": DENIED}) is DENIED
    assert of(network(), "internet_gateway", thing("gateway", "igw", gaps={"network_ids": DENIED})) is DENIED


def node(name: str = "n", *, accelerator: object = True, **facts: Any) -> Resource:
    placed = {
        "network_id": VPC,
        "subnet_ids": [SUBNET],
        "firewall_ids": [arn("firewall", "sg")],
        "efa": False,
        "efa_firewall_ids": [],
    } | facts
    gaps = {k: v for k, v in {**placed, "accelerator": accelerator}.items() if isinstance(v, Gap)}
    return thing("node", name, gaps=gaps, **{k: v for k, v in {**placed, "accelerator": accelerator}.items() if k not in gaps})


def test_groups_of_a_nodes_other_interfaces_are_no_efa_groups() -> None:
    first, fabric = thing("firewall", "sg", ingress=[]), thing("firewall", "fabric", ingress=[])
    found = node(efa=True, firewall_ids=[first.id, fabric.id], efa_firewall_ids=[fabric.id])
    assert of(fabric, "efa", found) is True
    assert of(first, "efa", found) is False
    assert of(first, "efa", node(efa=True, efa_firewall_ids=AFTER)) is AFTER
    assert of(first, "efa", node(efa=False, efa_firewall_ids=AFTER)) is False


def test_a_groups_entries_are_known_as_a_whole_or_not_at_all() -> None:
    entries = [{"source_type": "cidr", "source": "10.0.0.0/8"}]
    assert of(thing("firewall", "sg", ingress=entries), "ordered_ingress") == entries
    assert of(thing("firewall", "sg", gaps={"ingress": AFTER}, ingress=entries), "ordered_ingress") is AFTER


def test_placement() -> None:
    group = thing("firewall", "sg", ingress=[])
    assert of(network(), "has_accelerators", node()) is True
    assert of(network(), "has_nodes", node(accelerator=False)) is True
    assert of(network(), "has_accelerators", node(accelerator=False)) is False
    assert of(network(), "has_accelerators", node(accelerator=DENIED)) is DENIED
    assert of(network(), "has_accelerators", node("a", accelerator=DENIED), node("b")) is True
    assert of(subnet(), "has_accelerators", node()) is True
    assert of(group, "protects_accelerators", node()) is True
    assert of(group, "efa", node(efa=True, efa_firewall_ids=[arn("firewall", "sg")])) is True
    assert of(group, "efa", node()) is False
    assert of(group, "efa", gaps={"AWS::EC2::Instance": DENIED}) is DENIED


def test_a_node_that_may_be_anywhere_counts_only_where_it_matters() -> None:
    assert of(subnet(), "has_accelerators", node(subnet_ids=AFTER, accelerator=False)) is False
    assert of(subnet(), "has_accelerators", node(subnet_ids=AFTER)) is AFTER
    assert of(network(), "has_nodes", node(network_id=AFTER, subnet_ids=AFTER, accelerator=False)) is AFTER


def test_a_plan_places_nodes_by_their_subnets() -> None:
    made = planned("network", "aws_vpc.v")
    here = planned("subnet", "aws_subnet.s", network_id=made.id)
    gpu = planned("node", "aws_instance.gpu", accelerator=True, subnet_ids=[here.id], efa=False, gaps={"network_id": AFTER})
    assert of(made, "has_accelerators", here, gpu) is True


def test_acl_protects_by_its_subnets() -> None:
    acl = thing("firewall", "acl", "AWS::EC2::NetworkAcl", subnet_ids=[SUBNET])
    assert of(acl, "protects_accelerators", subnet(), node()) is True
    assert of(acl, "protects_accelerators", subnet()) is False
    assert of(acl, "protects_accelerators", gaps={"AWS::EC2::Subnet": DENIED}) is DENIED


def test_firewall_network_and_sources() -> None:
    entry = {"source_type": "cidr", "source": "10.0.0.0/8"}
    group = thing("firewall", "sg", network_id=VPC, ingress=[entry])
    assert of(group, "network_cidrs", network()) == ["10.0.0.0/16"]
    assert of(group, "network_cidrs", gaps={"AWS::EC2::VPC": DENIED}) is DENIED
    assert of(group, "ingress_resolved") is True
    listed = thing("firewall", "sg", ingress=[entry, {"source_type": "prefix_list", "source": "pl-1"}])
    assert "pl-1" in of(listed, "ingress_resolved").detail
    assert of(thing("firewall", "sg", gaps={"ingress": AFTER}, ingress=[entry]), "ingress_resolved") is AFTER


def test_prefix_lists_are_read_block_by_block() -> None:
    list_id = arn("firewall", "pl-1")
    entry = {
        "protocol": "tcp",
        "from_port": 22,
        "to_port": 22,
        "source_type": "prefix_list",
        "source": list_id,
        "action": "allow",
        "priority": 0,
    }
    group = thing("firewall", "sg", ingress=[entry])
    everyone = thing("firewall", "pl-1", "AWS::EC2::PrefixList", cidrs=["0.0.0.0/0", "10.0.0.0/8"])
    assert of(group, "listed_ingress", everyone) == [
        {**entry, "source_type": "cidr", "source": c, "list": list_id} for c in ("0.0.0.0/0", "10.0.0.0/8")
    ]
    assert of(group, "ingress_resolved", everyone) is True
    service = everyone.replace(name="com.amazonaws.global.cloudfront.origin-facing")
    assert of(group, "listed_ingress", service) == []
    assert of(group, "ingress_resolved", service) is True
    both = thing("firewall", "sg", ingress=[entry, {**entry, "source": arn("firewall", "pl-2")}])
    assert len(of(both, "listed_ingress", everyone)) == 2
    assert "pl-2" in of(both, "ingress_resolved", everyone).detail
    hidden = thing("firewall", "pl-1", "AWS::EC2::PrefixList", {"cidrs": DENIED})
    assert of(group, "ingress_resolved", hidden) is DENIED


def test_an_acl_is_read_whole_or_not_at_all() -> None:
    deny = {"source_type": "cidr", "source": "0.0.0.0/0", "action": "deny", "priority": 1}
    assert of(thing("firewall", "acl", "AWS::EC2::NetworkAcl", ingress=[deny]), "ordered_ingress") == [deny]
    assert of(thing("firewall", "acl", "AWS::EC2::NetworkAcl", {"ingress": AFTER}, ingress=[deny]), "ordered_ingress") is AFTER


def test_region_in_use() -> None:
    switch = thing("account", "ebs", "AWS::EC2::EBSEncryptionByDefault")
    default = thing("network", "vpc-d", is_default=True)
    assert of(switch, "in_use", network()) is True
    assert of(switch, "in_use", default, node()) is True
    assert of(switch, "in_use", default) is False
    assert of(switch, "in_use", default, thing("node", "far", region="eu-west-1")) is False
    assert of(switch, "in_use", default, gaps={"AWS::EC2::Instance": DENIED}) is DENIED
    # notebooks and training jobs run in networks of the provider's own
    assert of(switch, "in_use", default, thing("model_service", "tune", "AWS::SageMaker::TrainingJob")) is True
    assert of(switch, "in_use", default, gaps={"AWS::SageMaker::NotebookInstance": DENIED}) is DENIED
    off = Gap(Reason.SERVICE_OFF, "bedrock-agentcore-control:ListAgentRuntimes")
    assert of(switch, "in_use", default, gaps={"AWS::BedrockAgentCore::Runtime": off}) is False
    assert of(planned("account", "aws_ebs_encryption_by_default.x", "AWS::EC2::EBSEncryptionByDefault"), "in_use") is True


def test_indexes_are_made_once() -> None:
    subnets = [subnet(f"s-{n}") for n in range(300)]
    nodes = [node(f"n-{n}", subnet_ids=[arn("subnet", f"s-{n}")]) for n in range(300)]
    world = MemoryWorld([network(), table("m", main=True), *subnets, *nodes], None, DERIVATIONS)
    for resource in subnets:
        assert world.fact(resource, "has_accelerators") is True
        assert world.fact(resource, "internet_route") is False
    assert world.reads < 1000


def test_the_default_acl_of_a_plan_has_what_no_other_one_has() -> None:
    mine, other = (planned("subnet", f"aws_subnet.{n}", network_id="plan/aws_vpc.v") for n in ("a", "b"))
    worker = planned("node", "aws_instance.n", accelerator=True, efa=False, subnet_ids=[mine.id], firewall_ids=[], volume_ids=[])
    default = planned("firewall", "aws_default_network_acl.d", ACL, network_id="plan/aws_vpc.v", is_default=True)
    made = planned("firewall", "aws_network_acl.m", ACL, network_id="plan/aws_vpc.v", is_default=False, subnet_ids=[other.id])
    takes = made.replace(facts={**made.facts, "subnet_ids": [mine.id]})
    late = planned("firewall", "aws_network_acl.m", ACL, {"subnet_ids": AFTER}, network_id="plan/aws_vpc.v", is_default=False)
    assert of(default, "protects_accelerators", mine, other, worker) is True
    assert of(default, "protects_accelerators", mine, other, worker, made) is True
    assert of(default, "protects_accelerators", mine, other, worker, takes) is False
    assert of(default, "protects_accelerators", mine, other, worker, late) is AFTER
    assert of(default, "protects_accelerators", other) is False


def test_groups_of_templates_with_fabric_adapters() -> None:
    group = thing("firewall", "sg")
    made = thing("node", "lt", "AWS::EC2::LaunchTemplate", efa=True, efa_firewall_ids=[group.id], accelerator=True)
    assert of(group, "efa", made) is True
    assert of(group, "efa", made.replace(facts={**made.facts, "efa_firewall_ids": []})) is False
    assert of(group, "protects_accelerators", made) is False, "a template is no node"
    late = thing("node", "lt", "AWS::EC2::LaunchTemplate", {"efa_firewall_ids": AFTER}, efa=True, accelerator=True)
    assert of(group, "efa", late) is AFTER
