"""Network Firewall: firewalls, their policies and rule groups.

Suricata's rule language: https://docs.suricata.io/en/latest/rules/intro.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from collectors.aws import arn
from collectors.project import tag_list
from collectors.table import MISSING, Call, Const, Field, Table

ORDER = "https://docs.aws.amazon.com/network-firewall/latest/developerguide/suricata-rule-evaluation-order.html"
DEFAULTS = "https://docs.aws.amazon.com/network-firewall/latest/APIReference/API_FirewallPolicy.html"
GROUPS = "https://docs.aws.amazon.com/network-firewall/latest/APIReference/API_RuleGroup.html"

PASS = re.compile(
    r"^\s*pass\s+(?P<protocol>\S+)\s+(?P<source>\S+)\s+\S+\s+(?:->|<>)\s+(?P<to>\S+)\s+(?P<port>\S+)\s*\((?P<options>.*)\)\s*$"
)
SILENT = frozenset(
    {"msg", "sid", "rev", "gid", "metadata", "classtype", "priority", "reference", "noalert", "alert", "target", "flow"}
)
"""Options that do not narrow what a rule fits; `flow` only where it does not speak of the time before a connection stands."""
EVERYONE = ("any", "0.0.0.0/0", "::/0", "$EXTERNAL_NET")
TOP_LEVEL = re.compile(r"^[.*]*([a-z0-9-]*)$")
"""A domain that allows everything: the root, or a whole top-level domain."""


def endpoints(partition: str, region: str, account: str, states: Mapping[str, Any] | None) -> list[str]:
    """The endpoints that routes name, one an availability zone."""
    found = [(state.get("Attachment") or {}).get("EndpointId") for state in (states or {}).values()]
    return arn.arns("ec2", "vpc-endpoint", partition, region, account, found)


def actions(packets: list[str] | None, fragments: list[str] | None) -> list[str]:
    """What happens to packets and to fragments, each once."""
    return sorted({*(packets or []), *(fragments or [])})


def passes_all(source: Mapping[str, Any]) -> list[str]:
    """Rules that let everything pass, as they are written (the first 200 letters)."""
    return sorted({text[:200] for text in _wide(source)})


def _wide(source: Mapping[str, Any]) -> Iterator[str]:
    for line in str(source.get("RulesString") or "").splitlines():
        match = PASS.match(line)
        if match and match["to"] in EVERYONE and match["port"] == "any" and not _narrow(match["options"]):
            yield line.strip()
    domains = source.get("RulesSourceList") or {}
    if domains.get("GeneratedRulesType") == "ALLOWLIST":
        yield from (f"allows the domain {t}" for t in domains.get("Targets") or [] if TOP_LEVEL.match(t.lower()))
    for rule in source.get("StatefulRules") or []:
        header = rule["Header"]
        open_to_all = header["Destination"].upper() in ("ANY", "0.0.0.0/0", "::/0") and header["DestinationPort"].upper() == "ANY"
        if rule["Action"] == "PASS" and open_to_all and not _narrow(";".join(_option(o) for o in rule.get("RuleOptions") or [])):
            yield f"pass {header['Protocol']} {header['Source']} to any"
    for rule in (source.get("StatelessRulesAndCustomActions") or {}).get("StatelessRules") or []:
        fits = rule["RuleDefinition"]["MatchAttributes"]
        to = [d["AddressDefinition"] for d in fits.get("Destinations") or []]
        everyone = not to or bool({"0.0.0.0/0", "::/0"} & set(to))
        if (
            "aws:pass" in rule["RuleDefinition"]["Actions"]
            and everyone
            and not (fits.get("DestinationPorts") or fits.get("SourcePorts"))
        ):
            yield f"stateless rule {rule['Priority']} passes everything"


def _option(option: Mapping[str, Any]) -> str:
    return f"{option['Keyword']}:{','.join(option.get('Settings') or [])}"


def _narrow(options: str) -> bool:
    """Some option makes the rule fit less than its header says."""
    for option in filter(None, (o.strip() for o in options.split(";"))):
        keyword, _, value = option.partition(":")
        if keyword.strip().lower() not in SILENT or (
            keyword.strip() == "flow" and ("not_established" in value or "stateless" in value)
        ):
            return True
    return False


def rules_of(group: Mapping[str, Any] | None) -> Any:
    """See `passes_all`. Groups of another make than RuleGroup are not read."""
    source = (group or {}).get("RulesSource")
    return MISSING if source is None else passes_all(source)


FIREWALLS = Table(
    kind="firewall",
    native_type="AWS::NetworkFirewall::Firewall",
    list=Call("network-firewall", "list_firewalls", take="Firewalls"),
    id=Field("item.FirewallArn"),
    name=Field("item.FirewallName"),
    tags=Field("firewall.Firewall.Tags", tag_list, absent={}),
    detail={"firewall": Call("network-firewall", "describe_firewall", args={"FirewallArn": "item.FirewallArn"})},
    facts={
        "firewall_type": Const("network_firewall"),
        "network_id": arn.one("vpc", "firewall.Firewall.VpcId", absent=""),
        "policy_id": Field("firewall.Firewall.FirewallPolicyArn"),
        "endpoint_ids": Field((*arn.PLACE, "firewall.FirewallStatus.SyncStates"), endpoints),
    },
)

POLICIES = Table(
    kind="firewall",
    native_type="AWS::NetworkFirewall::FirewallPolicy",
    list=Call("network-firewall", "list_firewall_policies", take="FirewallPolicies"),
    id=Field("item.Arn"),
    name=Field("item.Name"),
    tags=Field("policy.FirewallPolicyResponse.Tags", tag_list, absent={}),
    detail={"policy": Call("network-firewall", "describe_firewall_policy", args={"FirewallPolicyArn": "item.Arn"})},
    facts={
        "firewall_type": Const("firewall_policy"),
        "rule_order": Field(
            "policy.FirewallPolicy.StatefulEngineOptions.RuleOrder",
            {"STRICT_ORDER": "strict", "DEFAULT_ACTION_ORDER": "action"},
            absent="action",
            source=ORDER,
        ),
        "default_actions": Field("policy.FirewallPolicy.StatefulDefaultActions", sorted, absent=[], source=DEFAULTS),
        "stateless_actions": Field(
            ("policy.FirewallPolicy.StatelessDefaultActions", "policy.FirewallPolicy.StatelessFragmentDefaultActions"), actions
        ),
    },
)

RULE_GROUPS = Table(
    kind="firewall",
    native_type="AWS::NetworkFirewall::RuleGroup",
    list=Call("network-firewall", "list_rule_groups", fixed={"Scope": "ACCOUNT"}, take="RuleGroups"),
    id=Field("item.Arn"),
    name=Field("item.Name"),
    tags=Field("group.RuleGroupResponse.Tags", tag_list, absent={}),
    detail={"group": Call("network-firewall", "describe_rule_group", args={"RuleGroupArn": "item.Arn"})},
    facts={
        "firewall_type": Const("rule_group"),
        "passes_all": Field("group.RuleGroup", rules_of, source=GROUPS),
    },
)

TABLES: tuple[Table, ...] = (FIREWALLS, POLICIES, RULE_GROUPS)
