"""Network Firewall. Of its questions moto knows the listing and the firewall itself."""

from __future__ import annotations

import pytest

from collectors.aws import netfirewall
from collectors.table import MISSING
from tests.collectors.aws.answers import given

NF = "arn:aws:network-firewall:us-east-1:123456789012:"


@pytest.mark.parametrize(
    "rule",
    [
        "pass ip any any -> any any (sid:1;)",
        'pass tcp $HOME_NET any -> any any (msg:"all"; sid:1; rev:2;)',
        "  pass tls any any -> 0.0.0.0/0 any (flow:established; sid:1;)",
        "pass ip any any <> $EXTERNAL_NET any (sid:1;)",
    ],
)
def test_a_rule_that_passes_everything(rule):
    assert netfirewall.passes_all({"RulesString": f"# comment\ndrop ip any any -> any any (sid:9;)\n{rule}"}) == [rule.strip()]


@pytest.mark.parametrize(
    "rule",
    [
        'pass tls any any -> any any (tls.sni; content:"example.com"; sid:1;)',
        "pass tcp any any -> any 443 (sid:1;)",
        "pass ip any any -> 10.0.0.0/8 any (sid:1;)",
        "pass tcp any any -> any any (flow:not_established, to_server; sid:1;)",  # the handshake, which strict order needs
        "#pass ip any any -> any any (sid:1;)",
        "alert ip any any -> any any (sid:1;)",
        "drop ip any any -> any any (sid:1;)",
    ],
)
def test_a_rule_that_does_not(rule):
    assert netfirewall.passes_all({"RulesString": rule}) == []


def test_domains_and_rules_of_five_parts():
    def listed(kind, *targets):
        return {"RulesSourceList": {"GeneratedRulesType": kind, "Targets": list(targets), "TargetTypes": ["TLS_SNI"]}}

    assert netfirewall.passes_all(listed("ALLOWLIST", ".example.com", "files.example.com")) == []
    assert netfirewall.passes_all(listed("DENYLIST", ".com")) == []
    assert netfirewall.passes_all(listed("ALLOWLIST", ".com", ".")) == ["allows the domain .", "allows the domain .com"]

    def rule(action="PASS", to="ANY", port="ANY", *options):
        header = {"Protocol": "IP", "Source": "10.0.0.0/8", "SourcePort": "ANY", "Direction": "FORWARD"}
        return {
            "StatefulRules": [
                {"Action": action, "Header": {**header, "Destination": to, "DestinationPort": port}, "RuleOptions": list(options)}
            ]
        }

    assert netfirewall.passes_all(rule()) == ["pass IP 10.0.0.0/8 to any"]
    assert netfirewall.passes_all(rule("DROP")) == []
    assert netfirewall.passes_all(rule("PASS", "203.0.113.0/24")) == []
    assert netfirewall.passes_all(rule("PASS", "ANY", "443")) == []
    assert netfirewall.passes_all(rule("PASS", "ANY", "ANY", {"Keyword": "sid", "Settings": ["1"]})) == [
        "pass IP 10.0.0.0/8 to any"
    ]
    assert netfirewall.passes_all(rule("PASS", "ANY", "ANY", {"Keyword": "content", "Settings": ['"x"']})) == []


def test_stateless_rules():
    def rule(actions, **fits):
        definition = {"MatchAttributes": fits, "Actions": actions}
        return {"StatelessRulesAndCustomActions": {"StatelessRules": [{"RuleDefinition": definition, "Priority": 5}]}}

    assert netfirewall.passes_all(rule(["aws:pass"])) == ["stateless rule 5 passes everything"]
    assert netfirewall.passes_all(rule(["aws:pass"], Destinations=[{"AddressDefinition": "0.0.0.0/0"}])) != []
    assert netfirewall.passes_all(rule(["aws:forward_to_sfe"])) == []
    assert netfirewall.passes_all(rule(["aws:pass"], Destinations=[{"AddressDefinition": "10.0.0.0/8"}])) == []
    assert netfirewall.passes_all(rule(["aws:pass"], DestinationPorts=[{"FromPort": 443, "ToPort": 443}])) == []


def test_a_group_of_another_make_is_not_read():
    assert netfirewall.rules_of(None) is MISSING
    assert netfirewall.rules_of({}) is MISSING


def test_policies():
    def response(name):
        return {"FirewallPolicyName": name, "FirewallPolicyArn": f"{NF}firewall-policy/{name}", "FirewallPolicyId": "1"}

    bare = {"StatelessDefaultActions": ["aws:pass"], "StatelessFragmentDefaultActions": ["aws:drop"]}
    strict = {
        "StatelessDefaultActions": ["aws:forward_to_sfe"],
        "StatelessFragmentDefaultActions": ["aws:forward_to_sfe"],
        "StatefulDefaultActions": ["aws:drop_strict", "aws:alert_strict"],
        "StatefulEngineOptions": {"RuleOrder": "STRICT_ORDER"},
    }
    names = ("bare", "strict")
    seen = given(
        netfirewall.POLICIES,
        answers={
            "network-firewall:list_firewall_policies": {
                "FirewallPolicies": [{"Name": n, "Arn": f"{NF}firewall-policy/{n}"} for n in names]
            },
            **{
                f"network-firewall:describe_firewall_policy:{NF}firewall-policy/{n}": {
                    "UpdateToken": "t", "FirewallPolicyResponse": response(n), "FirewallPolicy": p,
                }
                for n, p in zip(names, (bare, strict), strict=True)
            },
        },
    )  # fmt: skip
    assert [r.facts for r in seen.resources] == [
        {
            "firewall_type": "firewall_policy", "rule_order": "action", "default_actions": [],
            "stateless_actions": ["aws:drop", "aws:pass"],
        },
        {
            "firewall_type": "firewall_policy", "rule_order": "strict", "default_actions": ["aws:alert_strict", "aws:drop_strict"],
            "stateless_actions": ["aws:forward_to_sfe"],
        },
    ]  # fmt: skip


def test_a_firewall(boto, look):
    boto("network-firewall").create_firewall(
        FirewallName="egress", FirewallPolicyArn=f"{NF}firewall-policy/egress", VpcId="vpc-1", SubnetMappings=[{"SubnetId": "s"}]
    )
    found = look(netfirewall.FIREWALLS).named("egress")
    assert found.id == f"{NF}firewall/egress"
    assert found.facts == {
        "firewall_type": "network_firewall",
        "network_id": "arn:aws:ec2:us-east-1:123456789012:vpc/vpc-1",
        "policy_id": f"{NF}firewall-policy/egress",
        "endpoint_ids": [],
    }
    states = {"us-east-1a": {"Attachment": {"EndpointId": "vpce-1"}}, "us-east-1b": {}}
    assert netfirewall.endpoints("aws", "r", "1", states) == ["arn:aws:ec2:r:1:vpc-endpoint/vpce-1"]
