from __future__ import annotations

import pytest

from collectors.aws import classic
from scanner.model import Reason
from tests.collectors.aws.answers import given
from tests.collectors.aws.conftest import ACCOUNT

EC2 = f"arn:aws:ec2:us-east-1:{ACCOUNT}"
BALANCER = f"arn:aws:elasticloadbalancing:us-east-1:{ACCOUNT}:loadbalancer/old"


def said(protocol, port, behind="HTTP", at=8000, *policies):
    inner = {"Protocol": protocol, "LoadBalancerPort": port, "InstanceProtocol": behind, "InstancePort": at}
    return {"Listener": inner, "PolicyNames": [*policies]}


def policy(name, *protocols, kind=classic.NEGOTIATION):
    attributes = [{"AttributeName": f"Protocol-{p}", "AttributeValue": "true"} for p in protocols]
    attributes.append({"AttributeName": "Protocol-SSLv3", "AttributeValue": "false"})
    return {"PolicyName": name, "PolicyTypeName": kind, "PolicyAttributeDescriptions": attributes}


def test_a_classic_load_balancer(boto, look):
    boto("ec2").create_default_vpc() if not boto("ec2").describe_vpcs()["Vpcs"] else None
    subnet = boto("ec2").describe_subnets()["Subnets"][0]
    group = boto("ec2").create_security_group(GroupName="lb", Description="-", VpcId=subnet["VpcId"])["GroupId"]
    image = boto("ec2").run_instances(ImageId="ami-12c6146b", MinCount=1, MaxCount=1, SubnetId=subnet["SubnetId"])
    instance = image["Instances"][0]["InstanceId"]
    elb = boto("elb")
    elb.create_load_balancer(
        LoadBalancerName="old",
        Listeners=[{"Protocol": "HTTP", "LoadBalancerPort": 80, "InstancePort": 8000}],
        Subnets=[subnet["SubnetId"]],
        SecurityGroups=[group],
        Tags=[{"Key": "team", "Value": "ml"}],
    )
    elb.register_instances_with_load_balancer(LoadBalancerName="old", Instances=[{"InstanceId": instance}])
    found = look(classic.BALANCERS).named("old")
    assert found.id == BALANCER
    assert found.tags == {"team": "ml"}
    assert found.gaps == {}
    assert found.facts == {
        "endpoint_type": "load_balancer",
        "balancer_type": "classic",
        "protocol": "http",
        "listeners": [{"port": 80, "protocol": "http", "target_port": 8000, "target_protocol": "http"}],
        "internet_facing": True,
        "dual_stack": False,
        "network_id": f"{EC2}:vpc/{subnet['VpcId']}",
        "subnet_ids": [f"{EC2}:subnet/{subnet['SubnetId']}"],
        "firewall_ids": [f"{EC2}:security-group/{group}"],
        "targets": [{"id": f"{EC2}:instance/{instance}", "port": 8000}],
        "tls": False,
        "tls_versions": [],
        "redirects_to_tls": False,
        "web_acl": "",
    }


def test_what_its_listeners_speak():
    assert classic.protocol([said("HTTPS", 443), said("HTTP", 80)]) == "http"
    assert classic.protocol([said("TCP", 443), said("SSL", 8443)]) == "tcp"
    assert classic.protocol([said("HTTPS", 443)]) == "tls"
    assert classic.protocol([]) == ""
    bare = {"Listener": {"Protocol": "SSL", "LoadBalancerPort": 443, "InstancePort": 9000}}
    assert classic.listeners([bare])[0]["target_protocol"] == "tcp"


def test_tls_versions_are_those_of_all_listeners():
    new, old = policy("new", "TLSv1.2"), policy("old", "TLSv1", "TLSv1.1", "TLSv1.2")
    sticky = policy("sticky", "TLSv1", kind="LBCookieStickinessPolicyType")
    assert classic.tls_versions([said("HTTPS", 443, "HTTPS", 443, "new", "sticky")], [new, old, sticky]) == ["1.2"]
    both = [said("HTTPS", 443, "HTTPS", 443, "new"), said("SSL", 444, "TCP", 443, "old"), said("HTTP", 80)]
    assert classic.tls_versions(both, [new, old]) == ["1.0", "1.1", "1.2"]
    for policies in ([], [old], None):
        with pytest.raises(ValueError, match="443"):
            classic.tls_versions([said("HTTPS", 443, "HTTPS", 443, "new")], policies)
    with pytest.raises(KeyError):
        classic.tls_versions([said("SSL", 443, "SSL", 443, "odd")], [policy("odd", "TLSv9")])


def balancer(*listeners):
    return {
        "LoadBalancerName": "old", "Scheme": "internal", "VPCId": "vpc-1", "Subnets": ["subnet-1"], "SecurityGroups": ["sg-1"],
        "Instances": [], "ListenerDescriptions": [*listeners],
    }  # fmt: skip


def test_policies_are_asked_for_where_tls_ends():
    tags = {"TagDescriptions": [{"LoadBalancerName": "old", "Tags": []}]}
    answers = {
        "elb:describe_load_balancers": {"LoadBalancerDescriptions": [balancer(said("TCP", 443, "TCP", 443))]},
        "elb:describe_tags": tags,
    }
    assert given(classic.BALANCERS, answers=answers).named("old").facts["tls_versions"] == []
    answers["elb:describe_load_balancers"] = {"LoadBalancerDescriptions": [balancer(said("SSL", 443, "TCP", 443, "new"))]}
    answers["elb:describe_load_balancer_policies"] = {"PolicyDescriptions": [policy("new", "TLSv1.2")]}
    assert given(classic.BALANCERS, answers=answers).named("old").facts["tls_versions"] == ["1.2"]
    answers["elb:describe_load_balancer_policies"] = "AccessDenied"
    seen = given(classic.BALANCERS, answers=answers).named("old")
    assert seen.gaps["tls_versions"].reason is Reason.DENIED
