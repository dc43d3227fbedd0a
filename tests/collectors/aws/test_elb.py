from __future__ import annotations

import pytest

from collectors.aws import elb

POLICY = {
    "Name": "p",
    "SslProtocols": ["TLSv1.3", "TLSv1.2", "TLSv1"],
    "Ciphers": [
        {"Name": "TLS_AES_128_GCM_SHA256"},
        {"Name": "ECDHE-RSA-AES128-GCM-SHA256"},
        {"Name": "DHE-RSA-CHACHA20-POLY1305"},
        {"Name": "ECDHE-RSA-AES128-SHA256"},
        {"Name": "AES128-GCM-SHA256"},
        {"Name": "DES-CBC3-SHA"},
    ],
}


def redirect(protocol="HTTPS"):
    return {"Type": "redirect", "RedirectConfig": {"Protocol": protocol, "StatusCode": "HTTP_301"}}


def fixed(code):
    return {"Type": "fixed-response", "FixedResponseConfig": {"StatusCode": code}}


def rules(*actions):
    return [{"Actions": [a]} for a in actions]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (rules(redirect()), True),
        (rules(redirect("#{protocol}")), False),
        (rules({"Type": "redirect", "RedirectConfig": {"StatusCode": "HTTP_301"}}), False),
        (rules(redirect(), {"Type": "forward"}), False),
        (rules(redirect(), fixed("404")), True),
        (rules(redirect(), fixed("200")), False),
        (rules(fixed("404")), False),
    ],
)
def test_redirects(found, expected):
    assert elb.redirects("HTTP", found) is expected


def test_only_http_redirects():
    assert elb.redirects("HTTPS", None) is False
    with pytest.raises(ValueError, match="default rule"):
        elb.redirects("HTTP", [])


def test_versions_and_ciphers_come_from_the_policy():
    assert elb.versions("HTTPS", "any", [POLICY]) == ["1.0", "1.2", "1.3"]
    assert elb.weak_ciphers("TLS", "any", [POLICY]) == ["AES128-GCM-SHA256", "DES-CBC3-SHA", "ECDHE-RSA-AES128-SHA256"]


def test_a_policy_that_the_service_leaves_out_is_as_documented():
    assert elb.versions("HTTPS", "ELBSecurityPolicy-TLS-1-0-2015-04", []) == ["1.0", "1.1", "1.2"]
    assert elb.weak_ciphers("HTTPS", "ELBSecurityPolicy-TLS13-1-3-2021-06", []) == []


def test_a_policy_that_nobody_describes_is_not_a_good_one():
    with pytest.raises(KeyError):
        elb.versions("HTTPS", "ELBSecurityPolicy-TLS13-9-9-2030-01", [])
    with pytest.raises(KeyError):
        elb.weak_ciphers("HTTPS", None, [])


def test_nobody_asks_for_a_firewall_that_no_stranger_reaches():
    assert elb.wants_firewall({"item": {"Type": "application", "Scheme": "internet-facing"}})
    assert not elb.wants_firewall({"item": {"Type": "application", "Scheme": "internal"}})
    assert not elb.wants_firewall({"item": {"Type": "network", "Scheme": "internet-facing"}})
    assert repr(elb.web_acl("application", "internal", None)) == "MISSING"
    assert elb.web_acl("application", "internet-facing", None) == ""


@pytest.mark.parametrize(("protocol", "tls"), [("HTTPS", True), ("TLS", True), ("QUIC", True), ("TCP", False), ("HTTP", False)])
def test_tls(protocol, tls):
    assert elb.speaks_tls(protocol) is tls


def test_without_tls_there_are_no_versions():
    assert elb.versions("TCP", None, []) == []
    assert elb.weak_ciphers("UDP", None, []) == []
    assert elb.versions("QUIC", None, []) == ["1.3"]
    assert elb.weak_ciphers("QUIC", None, []) == []


def test_who_faces_the_internet():
    assert elb.internet_facing("gateway", None) is False
    assert elb.internet_facing("application", "internal") is False
    assert elb.internet_facing("network", "internet-facing") is True
    assert elb.internet_facing("application", None) is True


def test_tags_of_both():
    assert elb.both_tags([{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "1"}], [{"Key": "b", "Value": "2"}]) == {
        "a": "1",
        "b": "2",
    }


def test_listeners(boto, look):
    ec2, client = boto("ec2"), boto("elbv2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnets = [
        ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{n}.0/24", AvailabilityZone=f"us-east-1{z}")["Subnet"]["SubnetId"]
        for n, z in enumerate("ab")
    ]
    group = ec2.create_security_group(GroupName="lb", Description="-", VpcId=vpc)["GroupId"]
    tags = [{"Key": "ai-role", "Value": "inference"}]
    balancer = client.create_load_balancer(Name="api", Subnets=subnets, SecurityGroups=[group], Tags=tags)["LoadBalancers"][0]
    target = client.create_target_group(Name="t", Protocol="HTTP", Port=80, VpcId=vpc)["TargetGroups"][0]["TargetGroupArn"]
    forward = [{"Type": "forward", "TargetGroupArn": target}]
    certificate = boto("acm").request_certificate(DomainName="api.example.com")["CertificateArn"]
    https = client.create_listener(
        LoadBalancerArn=balancer["LoadBalancerArn"],
        Protocol="HTTPS",
        Port=443,
        SslPolicy="ELBSecurityPolicy-2016-08",
        Certificates=[{"CertificateArn": certificate}],
        DefaultActions=forward,
    )["Listeners"][0]
    client.create_listener(LoadBalancerArn=balancer["LoadBalancerArn"], Protocol="HTTP", Port=80, DefaultActions=[redirect()])
    half = client.create_listener(
        LoadBalancerArn=balancer["LoadBalancerArn"], Protocol="HTTP", Port=8080, DefaultActions=[redirect()]
    )
    client.create_rule(
        ListenerArn=half["Listeners"][0]["ListenerArn"],
        Priority=1,
        Conditions=[{"Field": "path-pattern", "Values": ["/v1/*"]}],
        Actions=forward,
    )
    inner = client.create_load_balancer(Name="nlb", Subnets=subnets, Type="network", Scheme="internal")["LoadBalancers"][0]
    tcp = client.create_target_group(Name="tcp", Protocol="TCP", Port=8001, VpcId=vpc)["TargetGroups"][0]["TargetGroupArn"]
    client.create_listener(
        LoadBalancerArn=inner["LoadBalancerArn"],
        Protocol="TCP",
        Port=8001,
        DefaultActions=[{"Type": "forward", "TargetGroupArn": tcp}],
    )

    seen = look(elb.LISTENERS)

    assert seen.failed() == []
    listener = seen.named("api:443")
    assert (listener.id, listener.tags, listener.gaps) == (https["ListenerArn"], {"ai-role": "inference"}, {})
    weak = listener.facts["tls_weak_ciphers"]
    assert listener.facts == {
        "endpoint_type": "listener",
        "protocol": "https",
        "port": 443,
        "internet_facing": True,
        "tls": True,
        "tls_versions": ["1.0", "1.1", "1.2"],
        "tls_policy": "ELBSecurityPolicy-2016-08",
        "tls_weak_ciphers": weak,
        "redirects_to_tls": False,
        "firewall_ids": [f"arn:aws:ec2:us-east-1:123456789012:security-group/{group}"],
        "balancer_id": balancer["LoadBalancerArn"],
        "balancer_type": "application",
        "target_group_ids": [target],
        "open_rules": ["default"],
        "authentication_known": True,
    }
    assert "AES128-SHA" in weak
    assert "ECDHE-RSA-AES128-GCM-SHA256" not in weak
    plain = seen.named("api:80").facts
    assert (plain["tls"], plain["tls_versions"], plain["tls_policy"], plain["redirects_to_tls"]) == (False, [], "", True)
    assert seen.named("api:8080").facts["redirects_to_tls"] is False
    network = seen.named("nlb:8001").facts
    assert (network["protocol"], network["internet_facing"], network["tls"], network["firewall_ids"]) == ("tcp", False, False, [])
    assert sum(c.operation == "describe_ssl_policies" for c in seen.asked) == 1
    assert sum(c.operation == "describe_rules" for c in seen.asked) == 3
