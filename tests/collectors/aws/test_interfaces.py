"""What load balancers forward to, and the interfaces of nodes."""

from __future__ import annotations

import pytest

from collectors.aws import compute, elb, interfaces
from collectors.table import MISSING

PLACE = ("aws", "us-east-1", "123456789012")
EC2 = "arn:aws:ec2:us-east-1:123456789012:"


def test_all_interfaces_and_all_addresses():
    found = compute.interfaces(
        *PLACE,
        [
            {
                "NetworkInterfaceId": "eni-2",
                "SubnetId": "s-2",
                "Groups": [{"GroupId": "sg-2"}, {"GroupId": "sg-1"}],
                "PrivateIpAddress": "10.0.1.4",
                "PrivateIpAddresses": [
                    {"PrivateIpAddress": "10.0.1.4"},
                    {"PrivateIpAddress": "10.0.1.5", "Association": {"PublicIp": "203.0.113.9"}},
                ],
                "Ipv6Addresses": [{"Ipv6Address": "fd00::1"}, {"Ipv6Address": "2600::1"}],
                "Ipv4Prefixes": [{"Ipv4Prefix": "10.0.1.16/28"}],
                "Ipv6Prefixes": [{"Ipv6Prefix": "2600:1f18::/80"}],
                "Attachment": {"DeviceIndex": 1, "NetworkCardIndex": 1},
            },
            {
                "NetworkInterfaceId": "eni-9",
                "SubnetId": "s-1",
                "Attachment": {"DeviceIndex": 0},
                "Association": {"PublicIp": "203.0.113.8"},
            },
        ],
    )
    assert found == [
        {
            "id": f"{EC2}network-interface/eni-9",
            "subnet_id": f"{EC2}subnet/s-1",
            "firewall_ids": [],
            "public_addresses": ["203.0.113.8"],
            "ipv6_addresses": [],
            "private_addresses": [],
        },
        {
            "id": f"{EC2}network-interface/eni-2",
            "subnet_id": f"{EC2}subnet/s-2",
            "firewall_ids": [f"{EC2}security-group/sg-1", f"{EC2}security-group/sg-2"],
            "public_addresses": ["203.0.113.9"],
            "ipv6_addresses": ["2600:1f18::/80", "2600::1"],
            "private_addresses": ["10.0.1.16/28", "10.0.1.4", "10.0.1.5"],
        },
    ]


def test_targets():
    found = [{"Target": {"Id": "i-1", "Port": 8000}}, {"Target": {"Id": "i-0"}}]
    assert interfaces.targets(*PLACE, "instance", found) == [
        {"id": f"{EC2}instance/i-0", "port": 0},
        {"id": f"{EC2}instance/i-1", "port": 8000},
    ]
    assert interfaces.targets(*PLACE, "ip", [{"Target": {"Id": "10.0.0.1", "Port": 1}}]) == [{"id": "10.0.0.1", "port": 1}]
    assert interfaces.targets(*PLACE, "ip", None) == []


@pytest.mark.parametrize(
    ("protocol", "kind", "attributes", "answer"),
    [
        ("HTTP", "instance", None, False),
        ("TCP", "instance", [{"Key": "preserve_client_ip.enabled", "Value": "false"}], False),
        ("TCP", "ip", [{"Key": "preserve_client_ip.enabled", "Value": "true"}], True),
        ("TCP", "instance", [], True),
        ("TCP", "ip", [], False),
        ("UDP", "ip", [], True),
        ("TCP", "ip", None, MISSING),
    ],
)
def test_who_is_seen_by_a_target(protocol, kind, attributes, answer):
    assert interfaces.preserves_client(protocol, kind, attributes) is answer


def rule(*actions, priority="default", fields=()):
    return {"Priority": priority, "Conditions": [{"Field": f} for f in fields], "Actions": list(actions)}


FORWARD = {"Type": "forward", "TargetGroupArn": "tg"}
OIDC = {"Type": "authenticate-oidc", "AuthenticateOidcConfig": {"OnUnauthenticatedRequest": "authenticate"}}
LAX = {"Type": "authenticate-oidc", "AuthenticateOidcConfig": {"OnUnauthenticatedRequest": "allow"}}
COGNITO, JWT = {"Type": "authenticate-cognito", "AuthenticateCognitoConfig": {}}, {"Type": "jwt-validation"}


@pytest.mark.parametrize(
    ("rules", "mutual", "answer"),
    [
        ([rule(FORWARD)], None, ["default"]),
        ([rule(FORWARD)], "off", ["default"]),
        ([rule(FORWARD)], "passthrough", ["default"]),
        ([rule(FORWARD)], "verify", []),
        ([rule(OIDC, FORWARD)], None, []),
        ([rule(COGNITO, FORWARD)], None, []),
        ([rule(JWT, FORWARD)], None, []),
        ([rule(LAX, FORWARD)], None, ["default"]),
        ([rule({"Type": "redirect"})], None, []),
        ([rule(FORWARD, priority="10", fields=("path-pattern", "host-header")), rule(OIDC, FORWARD)], None, ["10 (host-header, path-pattern)"]),
        ([rule(FORWARD, priority="10", fields=("source-ip",)), rule({"Type": "fixed-response"})], None, ["10 (source-ip)"]),
        ([rule(FORWARD, priority="10", fields=("http-header",)), rule({"Type": "fixed-response"})], None, []),
    ],
)  # fmt: skip
def test_open_rules(rules, mutual, answer):
    assert elb.open_rules("HTTPS", mutual, rules) == answer


def test_a_header_may_be_a_secret_or_not():
    by_header = [rule(FORWARD, priority="10", fields=("http-header",)), rule({"Type": "fixed-response"})]
    assert elb.authentication_known("HTTPS", None, by_header) is MISSING
    assert elb.authentication_known("HTTPS", "verify", by_header) is True
    assert elb.authentication_known("HTTPS", None, [rule(FORWARD)]) is True
    assert elb.authentication_known("TLS", None, None) is MISSING
    with pytest.raises(ValueError, match="default rule"):
        elb.open_rules("HTTPS", None, [])


def test_groups_of_all_rules():
    weighted = {"Type": "forward", "ForwardConfig": {"TargetGroups": [{"TargetGroupArn": "b"}, {"TargetGroupArn": "c"}]}}
    assert elb.target_groups([FORWARD], [rule(FORWARD), rule(weighted, priority="1")]) == ["b", "c", "tg"]
    assert elb.target_groups([{"Type": "redirect"}], None) == []


def test_a_load_balancer_with_everything(boto, look):
    ec2, elbv2, waf = boto("ec2"), boto("elbv2"), boto("wafv2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnets = [
        ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{n}.0/24", AvailabilityZone=f"us-east-1{z}")["Subnet"]["SubnetId"]
        for n, z in ((0, "a"), (1, "b"))
    ]
    group = ec2.create_security_group(GroupName="lb", Description="-", VpcId=vpc)["GroupId"]
    made = elbv2.create_load_balancer(
        Name="front", Subnets=subnets, SecurityGroups=[group], Scheme="internet-facing", Type="application"
    )
    front = made["LoadBalancers"][0]["LoadBalancerArn"]
    acl = waf.create_web_acl(
        Name="guard", Scope="REGIONAL", DefaultAction={"Allow": {}},
        VisibilityConfig={"SampledRequestsEnabled": False, "CloudWatchMetricsEnabled": False, "MetricName": "g"},
    )["Summary"]["ARN"]  # fmt: skip
    waf.associate_web_acl(WebACLArn=acl, ResourceArn=front)
    targets = elbv2.create_target_group(Name="vllm", Protocol="HTTP", Port=8000, VpcId=vpc, TargetType="ip")["TargetGroups"][0]
    elbv2.register_targets(TargetGroupArn=targets["TargetGroupArn"], Targets=[{"Id": "10.0.0.9", "Port": 8001}])
    action = {"Type": "forward", "TargetGroupArn": targets["TargetGroupArn"]}
    elbv2.create_listener(LoadBalancerArn=front, Protocol="HTTP", Port=80, DefaultActions=[action])
    seen = look(elb.BALANCERS, elb.LISTENERS, interfaces.TARGET_GROUPS)
    assert seen.failed() == []
    assert seen.named(front).facts == {
        "endpoint_type": "load_balancer",
        "balancer_type": "application",
        "internet_facing": True,
        "dual_stack": False,
        "network_id": f"{EC2}vpc/{vpc}",
        "subnet_ids": sorted(f"{EC2}subnet/{s}" for s in subnets),
        "firewall_ids": [f"{EC2}security-group/{group}"],
        "web_acl": acl,
    }
    assert seen.named(targets["TargetGroupArn"]).facts == {
        "endpoint_type": "target_group",
        "protocol": "http",
        "port": 8000,
        "target_type": "ip",
        "network_id": f"{EC2}vpc/{vpc}",
        "balancer_ids": [front],
        "targets": [{"id": "10.0.0.9", "port": 8001}],
        "preserves_client": False,
    }
    (listener,) = (r for r in seen.resources if r.native_type.endswith("::Listener"))
    told = ("balancer_id", "balancer_type", "target_group_ids", "open_rules", "authentication_known")
    assert {f: listener.facts[f] for f in told} == {
        "balancer_id": front,
        "balancer_type": "application",
        "target_group_ids": [targets["TargetGroupArn"]],
        "open_rules": ["default"],
        "authentication_known": True,
    }
