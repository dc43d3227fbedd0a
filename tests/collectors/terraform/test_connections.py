"""Plans of peerings, transit gateways, VPN, firewalls, load balancers and APIs: Terraform's own plans, and what they lack by hand."""

from __future__ import annotations

import functools

import pytest

from collectors.aws.connections import tunnels as live_tunnels
from collectors.terraform.plan import read_plan
from scanner.model import Reason, Resource
from tests.collectors.terraform.conftest import FIXTURES, Maker


@functools.cache
def plan(name: str) -> dict[str, Resource]:
    return {r.id.removeprefix("plan/"): r for r in read_plan(FIXTURES / "plans" / "types" / name / "plan.json").resources}


def facts(name: str, address: str, *names: str) -> dict[str, object]:
    found = plan(name)[address].facts
    return {n: found.get(n) for n in names} if names else dict(found)


NETWORK, EDGE, NODES = "04-network", "09-edge", "03-nodes"


def test_a_peering() -> None:
    assert facts(NETWORK, "aws_vpc_peering_connection.mgmt") == {
        "link_type": "peering",
        "requester_id": "plan/aws_vpc.training",
        "accepter_id": "plan/aws_vpc.mgmt",
    }


def test_transit_gateways() -> None:
    assert facts(NETWORK, "aws_ec2_transit_gateway.loose") == {"gateway_type": "transit", "auto_accept": True}
    assert facts(NETWORK, "aws_ec2_transit_gateway.strict") == {"gateway_type": "transit", "auto_accept": False}
    assert facts(NETWORK, "aws_ec2_transit_gateway_route_table.training") == {
        "gateway_id": "plan/aws_ec2_transit_gateway.strict",
        "associations": ["plan/aws_vpc.training"],
        "transit_routes": [
            {"destination": "", "target": "plan/aws_vpc.mgmt", "target_type": "vpc", "route_type": "propagated", "active": True}
        ],
    }


def test_static_routes_of_a_transit_gateway(make: Maker) -> None:
    make.add("aws_vpc.a", after={"cidr_block": "10.0.0.0/16"}, late=("id", "arn"))
    make.add("aws_ec2_transit_gateway.t", late=("id", "arn"))
    make.add("aws_ec2_transit_gateway_vpc_attachment.a", sets={"vpc_id": ["aws_vpc.a.id"]}, late=("id",))
    make.add(
        "aws_ec2_transit_gateway_route_table.r", sets={"transit_gateway_id": ["aws_ec2_transit_gateway.t.id"]}, late=("id", "arn")
    )
    own = {"transit_gateway_route_table_id": ["aws_ec2_transit_gateway_route_table.r.id"]}
    make.add(
        "aws_ec2_transit_gateway_route.to",
        sets={**own, "transit_gateway_attachment_id": ["aws_ec2_transit_gateway_vpc_attachment.a.id"]},
        after={"destination_cidr_block": "0.0.0.0/0", "blackhole": False},
    )
    make.add("aws_ec2_transit_gateway_route.hole", sets=own, after={"destination_cidr_block": "10.9.0.0/16", "blackhole": True})
    found = make.one("aws_ec2_transit_gateway_route_table.r").facts
    assert found["associations"] == []
    assert found["transit_routes"] == [
        {"destination": "0.0.0.0/0", "target": "plan/aws_vpc.a", "target_type": "vpc", "route_type": "static", "active": True},
        {"destination": "10.9.0.0/16", "target": "", "target_type": "", "route_type": "static", "active": False},
    ]


def test_vpn_tunnels_leave_open_what_nobody_limits() -> None:
    # phase 2 of the one that looks good is left to the provider, which offers everything
    good = plan(NETWORK)["aws_vpn_connection.good"].facts["tunnels"]
    assert [t["ike_versions"] for t in good] == [["ikev2"], ["ikev2"]]
    assert good[0]["encryption"] == live_tunnels(None)[0]["encryption"]
    bad = plan(NETWORK)["aws_vpn_connection.bad"].facts["tunnels"]
    assert bad[1] == live_tunnels(None)[1]
    assert "shared" not in str(plan(NETWORK)["aws_vpn_connection.good"].facts)


def test_a_vpn_that_limits_both_phases(make: Maker) -> None:
    lists = {"encryption_algorithms": ["AES256"], "integrity_algorithms": ["SHA2-256"], "dh_group_numbers": [19]}
    after = {f"tunnel{t}_phase{p}_{k}": v for t in (1, 2) for p in (1, 2) for k, v in lists.items()}
    after |= {f"tunnel{t}_ike_versions": ["ikev2"] for t in (1, 2)}
    make.add("aws_vpn_connection.v", after=after)
    strong = {"ike_versions": ["ikev2"], "encryption": ["AES256"], "integrity": ["SHA2-256"], "dh_groups": [19]}
    assert make.one("aws_vpn_connection.v").facts["tunnels"] == [{"name": "1", **strong}, {"name": "2", **strong}]


def test_firewall_policies() -> None:
    assert facts(NETWORK, "aws_networkfirewall_firewall_policy.good") == {
        "firewall_type": "firewall_policy",
        "rule_order": "strict",
        "default_actions": ["aws:alert_strict", "aws:drop_strict"],
        "stateless_actions": ["aws:forward_to_sfe"],
    }
    assert facts(NETWORK, "aws_networkfirewall_firewall_policy.bad") == {
        "firewall_type": "firewall_policy",
        "rule_order": "action",
        "default_actions": [],
        "stateless_actions": ["aws:pass"],
    }
    wall = plan(NETWORK)["aws_networkfirewall_firewall.edge"]
    assert wall.facts["policy_id"] == "plan/aws_networkfirewall_firewall_policy.good"
    assert wall.gaps["endpoint_ids"].reason is Reason.KNOWN_AFTER_APPLY


@pytest.mark.parametrize(
    ("after", "passes"),
    [
        ({"rules": "pass ip any any -> any any (sid:1;)"}, ["pass ip any any -> any any (sid:1;)"]),
        (
            {
                "rule_group": [
                    {"rules_source": [{"rules_source_list": [{"generated_rules_type": "ALLOWLIST", "targets": [".com"]}]}]}
                ]
            },
            ["allows the domain .com"],
        ),
        (
            {
                "rule_group": [
                    {
                        "rules_source": [
                            {
                                "stateful_rule": [
                                    {
                                        "action": "PASS",
                                        "header": [
                                            {"protocol": "TCP", "source": "ANY", "destination": "ANY", "destination_port": "ANY"}
                                        ],
                                        "rule_option": [{"keyword": "sid", "settings": ["1"]}],
                                    }
                                ]
                            }
                        ]
                    }
                ]
            },
            ["pass TCP ANY to any"],
        ),
        ({"rule_group": [{"rules_source": [{"rules_string": "drop ip any any -> any any (sid:1;)"}]}]}, []),
    ],
)
def test_rule_groups(make: Maker, after: dict[str, object], passes: list[str]) -> None:
    make.add("aws_networkfirewall_rule_group.g", after={"name": "g", **after})
    assert make.one("aws_networkfirewall_rule_group.g").facts["passes_all"] == passes


def test_prefix_lists(make: Maker) -> None:
    make.add("aws_ec2_managed_prefix_list.p", after={"name": "office", "entry": [{"cidr": "203.0.113.0/24"}]}, late=("id", "arn"))
    assert make.one("aws_ec2_managed_prefix_list.p").facts == {"firewall_type": "prefix_list", "cidrs": ["203.0.113.0/24"]}


def test_controls_of_encryption(make: Maker) -> None:
    # provider 6: 5.100 has no such resource
    make.add("aws_vpc.a", after={"cidr_block": "10.0.0.0/16"}, late=("id", "arn"))
    make.add("aws_vpc.b", after={"cidr_block": "10.1.0.0/16"}, late=("id", "arn"))
    make.add(
        "aws_vpc_encryption_control.a",
        sets={"vpc_id": ["aws_vpc.a.id"]},
        after={"mode": "enforce", "nat_gateway_exclusion": "disable", "vpc_peering_exclusion": "enable"},
    )
    told = {n: make.one(f"aws_vpc.{n}").facts for n in "ab"}
    assert (told["a"]["encryption_mode"], told["a"]["encryption_exclusions"]) == ("enforce", ["VpcPeering"])
    assert (told["b"]["encryption_mode"], told["b"]["encryption_exclusions"]) == ("none", [])


def test_load_balancers() -> None:
    names = ("balancer_type", "internet_facing", "dual_stack", "web_acl")
    good = {"balancer_type": "application", "internet_facing": True, "dual_stack": False, "web_acl": "plan/aws_wafv2_web_acl.good"}
    assert facts(EDGE, "aws_lb.good", *names) == good
    assert facts(EDGE, "aws_lb.bad", *names) == good | {"web_acl": ""}
    assert facts(EDGE, "aws_lb.nlb", *names) == good | {"balancer_type": "network", "internet_facing": False, "web_acl": None}


def test_listeners() -> None:
    names = ("balancer_id", "target_group_ids", "open_rules", "authentication_known")
    assert facts(EDGE, "aws_lb_listener.good", *names) == {
        "balancer_id": "plan/aws_lb.good",
        "target_group_ids": ["plan/aws_lb_target_group.good"],
        "open_rules": [],
        "authentication_known": True,
    }
    assert facts(EDGE, "aws_lb_listener.bad_tls", *names[2:]) == {"open_rules": ["default"], "authentication_known": True}
    assert facts(EDGE, "aws_lb_listener.redirect", *names[1:3]) == {"target_group_ids": [], "open_rules": []}
    assert facts(EDGE, "aws_lb_listener.nlb_tcp", *names[2:]) == {"open_rules": [], "authentication_known": None}


def test_rules_of_a_listener(make: Maker) -> None:
    make.add(
        "aws_lb_listener.l", after={"port": 443, "protocol": "HTTPS", "default_action": [{"type": "fixed-response"}]}, late=("arn",)
    )
    own = {"listener_arn": ["aws_lb_listener.l.arn"]}
    forward = [{"type": "forward", "target_group_arn": "tg"}]
    make.add(
        "aws_lb_listener_rule.path",
        sets=own,
        after={"priority": 5, "action": forward, "condition": [{"path_pattern": [{"values": ["/"]}]}]},
    )
    assert make.one("aws_lb_listener.l").facts["open_rules"] == ["5 (path-pattern)"]
    make.add(
        "aws_lb_listener_rule.header", sets=own, after={"priority": 6, "action": forward, "condition": [{"http_header": [{}]}]}
    )
    found = make.one("aws_lb_listener.l")
    assert found.facts["open_rules"] == ["5 (path-pattern)"]
    assert found.gaps["authentication_known"].reason is Reason.NOT_OFFERED


def test_target_groups(make: Maker) -> None:
    names = ("protocol", "port", "target_type", "network_id", "targets", "preserves_client")
    assert facts(EDGE, "aws_lb_target_group.tcp", *names) == {
        "protocol": "tcp",
        "port": 8000,
        "target_type": "instance",
        "network_id": "plan/aws_vpc.edge",
        "targets": [],
        "preserves_client": True,
    }
    make.add("aws_instance.n", late=("id", "private_ip"))
    make.add("aws_lb_target_group.g", after={"port": 8000, "protocol": "HTTP", "target_type": "ip"}, late=("arn",))
    make.add(
        "aws_lb_target_group_attachment.a",
        sets={"target_group_arn": ["aws_lb_target_group.g.arn"], "target_id": ["aws_instance.n.private_ip"]},
        after={"port": 9000},
    )
    assert make.one("aws_lb_target_group.g").facts["targets"] == [{"id": "plan/aws_instance.n", "port": 9000}]


def test_apis() -> None:
    names = ("internet_facing", "open_rules", "policy_statements", "authentication_known")
    open_api = {"internet_facing": True, "open_rules": ["GET /infer"], "policy_statements": [], "authentication_known": True}
    assert facts(EDGE, "aws_api_gateway_rest_api.r", *names) == open_api
    assert facts(EDGE, "aws_apigatewayv2_api.h", *names) == open_api


def test_an_api_that_is_a_definition_is_not_read(make: Maker) -> None:
    make.add("aws_api_gateway_rest_api.r", after={"name": "r", "body": "{}"}, late=("id", "arn"))
    assert "open_rules" not in make.one("aws_api_gateway_rest_api.r").facts


def test_interfaces_of_a_node() -> None:
    assert facts(NODES, "aws_instance.bad", "interfaces", "fabric_encrypted") == {
        "interfaces": [
            {
                "id": "plan/aws_instance.bad",
                "subnet_id": "plan/aws_subnet.public",
                "firewall_ids": ["plan/aws_security_group.open"],
                "public_addresses": ["assigned"],
                "ipv6_addresses": [],
                "private_addresses": [],
            }
        ],
        "fabric_encrypted": True,
    }
    good = plan(NODES)["aws_instance.good"].facts["interfaces"][0]
    assert (good["public_addresses"], good["subnet_id"]) == ([], "plan/aws_subnet.private")
    # its groups are the network's default one, which the plan does not show
    assert plan(NODES)["aws_instance.terse"].gaps["interfaces"].reason is Reason.KNOWN_AFTER_APPLY


@pytest.mark.parametrize(("size", "answer"), [("g5g.xlarge", False), ("p4d.24xlarge", True), ("p9.48xlarge", None)])
def test_sizes_that_encrypt(make: Maker, size: str, answer: object) -> None:
    make.add("aws_instance.n", after={"instance_type": size})
    assert make.one("aws_instance.n").facts.get("fabric_encrypted") is answer


def test_a_classic_load_balancer(make: Maker) -> None:
    make.add("aws_security_group.g", after={"name": "g"}, late=("id",))
    make.add("aws_subnet.s", after={"cidr_block": "10.0.0.0/24"}, late=("id",))
    make.add("aws_instance.n", after={"instance_type": "p5.48xlarge"}, late=("id",))
    make.add("aws_instance.m", after={"instance_type": "p5.48xlarge"}, late=("id",))
    listener = {"lb_port": 443, "lb_protocol": "https", "instance_port": 8000, "instance_protocol": "http"}
    make.add(
        "aws_elb.e",
        after={"name": "e", "listener": [listener]},
        sets={"subnets": ["aws_subnet.s.id"], "security_groups": ["aws_security_group.g.id"], "instances": ["aws_instance.n.id"]},
        late=("id", "arn"),
    )
    make.add("aws_elb_attachment.a", sets={"elb": ["aws_elb.e.id"], "instance": ["aws_instance.m.id"]})
    found = make.one("aws_elb.e")
    assert found.gaps == {}
    assert found.facts == {
        "endpoint_type": "load_balancer",
        "balancer_type": "classic",
        "protocol": "tls",
        "listeners": [{"port": 443, "protocol": "https", "target_port": 8000, "target_protocol": "http"}],
        "internet_facing": True,
        "dual_stack": False,
        "subnet_ids": ["plan/aws_subnet.s"],
        "firewall_ids": ["plan/aws_security_group.g"],
        "targets": [{"id": "plan/aws_instance.m", "port": 8000}, {"id": "plan/aws_instance.n", "port": 8000}],
        "tls": True,
        "tls_versions": ["1.0", "1.1", "1.2"],
        "redirects_to_tls": False,
        "web_acl": "",
    }
    assert make.one("aws_instance.m").facts["balanced_by"] == ["plan/aws_elb.e"]
    assert make.one("aws_instance.n").facts["balanced_by"] == []
    make.add("aws_lb_ssl_negotiation_policy.p", after={"lb_port": 443}, sets={"load_balancer": ["aws_elb.e.id"]})
    assert make.one("aws_elb.e").gaps["tls_versions"].reason is Reason.NOT_OFFERED


def test_a_node_in_a_group_outside_of_the_plan(make: Maker) -> None:
    group = "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/edge/0123456789abcdef"
    make.add("aws_instance.n", after={"instance_type": "p5.48xlarge"}, late=("id",))
    make.add(
        "aws_lb_target_group_attachment.a",
        after={"target_group_arn": group, "port": 8000},
        sets={"target_id": ["aws_instance.n.id"]},
    )
    assert make.one("aws_instance.n").facts["balanced_by"] == [group]


def block(make: Maker, address: str, within: str, attribute: str, **known: object) -> None:
    """A resource with a block, one attribute of which refers to the load balancer `inner`."""
    make.add(address, after={within: [known]}, late=("id", "arn"))
    make.document["resource_changes"][-1]["change"]["after_unknown"][within] = [{attribute: True}]
    make.module()["resources"][-1]["expressions"][within] = [{attribute: {"references": ["aws_lb.inner.arn", "aws_lb.inner"]}}]


def test_what_leads_to_load_balancers(make: Maker) -> None:
    make.add("aws_lb.inner", after={"name": "inner", "internal": True}, late=("id", "arn"))
    make.add("aws_subnet.s", after={"cidr_block": "10.0.0.0/24"}, late=("id",))
    block(make, "aws_globalaccelerator_endpoint_group.g", "endpoint_configuration", "endpoint_id", weight=100)
    block(make, "aws_cloudfront_vpc_origin.o", "vpc_origin_endpoint_config", "arn", name="inner")
    make.add("aws_api_gateway_vpc_link.l", after={"name": "l"}, sets={"target_arns": ["aws_lb.inner.arn"]}, late=("id", "arn"))
    make.add("aws_apigatewayv2_vpc_link.l", after={"name": "l", "security_group_ids": []}, sets={"subnet_ids": ["aws_subnet.s.id"]})
    for address in ("aws_globalaccelerator_endpoint_group.g", "aws_cloudfront_vpc_origin.o", "aws_api_gateway_vpc_link.l"):
        assert make.one(address).facts["leads_to"] == ["plan/aws_lb.inner"], address
    found = make.one("aws_apigatewayv2_vpc_link.l").facts
    assert (found["leads_to"], found["subnet_ids"]) == ([], ["plan/aws_subnet.s"])


def test_a_lead_to_something_of_another_plan_is_unknown(make: Maker) -> None:
    make.add("aws_api_gateway_vpc_link.l", after={"name": "l"}, sets={"target_arns": ["var.balancer"]}, late=("id", "arn"))
    assert make.one("aws_api_gateway_vpc_link.l").gaps["leads_to"].reason is Reason.KNOWN_AFTER_APPLY
