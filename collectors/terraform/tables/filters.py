"""Security groups and network ACLs, with the rules that Terraform writes as resources of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from collectors.aws.rules import ports_of, protocol_of
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import PLACE, TAGS, canonical, docs, many, one, title

GROUP = docs("aws_security_group")
ACL = docs("aws_network_acl")
DEFAULT_DENY = "https://docs.aws.amazon.com/vpc/latest/userguide/nacl-rules.html"

INLINE = ("from_port", "to_port", "protocol", "cidr_blocks", "ipv6_cidr_blocks", "prefix_list_ids", "security_groups", "self")
RULE = (*INLINE[:-2], "self", "type", "source_security_group_id")
SINGLE = ("from_port", "to_port", "ip_protocol", "cidr_ipv4", "cidr_ipv6", "prefix_list_id", "referenced_security_group_id")
ENTRY = ("egress", "protocol", "rule_action", "rule_number", "cidr_block", "ipv6_cidr_block", "from_port", "to_port")
INLINE_ENTRY = ("protocol", "action", "rule_no", "cidr_block", "ipv6_cidr_block", "from_port", "to_port")
LAST = 32767
"""Number of the entry that ends every ACL and denies what no other entry allowed."""


def _entry(protocol: str, ports: tuple[int, int], source: str, kind: str) -> dict[str, Any]:
    return {
        "protocol": protocol, "from_port": ports[0], "to_port": ports[1], "source": source, "source_type": kind,
        "action": "allow", "priority": 0,
    }  # fmt: skip


def _sources(rule: Mapping[str, Any], own: str) -> Iterator[tuple[str, str, str]]:
    """(resource in the ARN, source, source type) of one rule, whichever way it was written."""
    for name in ("cidr_blocks", "ipv6_cidr_blocks"):
        yield from (("", v, "cidr") for v in rule.get(name) or [])
    yield from (("", v, "cidr") for n in ("cidr_ipv4", "cidr_ipv6") if (v := rule.get(n)))
    lists = [*(rule.get("prefix_list_ids") or []), *([v] if (v := rule.get("prefix_list_id")) else [])]
    yield from (("prefix-list", v, "prefix_list") for v in lists)
    groups = [*(rule.get("security_groups") or [])]
    groups += [v for n in ("source_security_group_id", "referenced_security_group_id") if (v := rule.get(n))]
    if rule.get("self") is True:
        groups.append(own)
    yield from (("security-group", v, "self" if v == own else "group") for v in groups if isinstance(v, str))


def entries(
    partition: str, region: str | None, account: str | None, own: str, rules: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Entries as the kind `firewall` has them: one a source, each once."""
    found = {}
    for rule in rules:
        protocol = protocol_of(rule["protocol"] if rule.get("protocol") is not None else rule["ip_protocol"])
        ports = ports_of(protocol, rule.get("from_port"), rule.get("to_port"))
        for resource, source, kind in _sources(rule, own):
            name = canonical("ec2", resource, partition, region, account, source) if resource else source
            entry = _entry(protocol, ports, name, kind)
            found[tuple(entry.values())] = entry
    return sorted(found.values(), key=lambda e: (e["protocol"], e["from_port"], e["to_port"], e["source_type"], e["source"]))


def _group_rules(direction: str) -> Any:
    def read(partition: str, region: Any, account: Any, own: str, *layers: Any) -> list[dict[str, Any]]:
        inline, rules, single, rules_was, single_was = layers
        place = (partition, region, account, own)
        mine = [r for r in rules or [] if r["type"] == direction]
        # NOTE: the group's own attribute shows rules of other resources as they are now; those that go or change are taken out
        gone = [*(r for r in rules_was or [] if r.get("type") == direction), *(single_was or [])]
        before = {tuple(e.values()) for e in entries(*place, gone)}
        kept = [e for e in entries(*place, inline or []) if tuple(e.values()) not in before]
        merged = {tuple(e.values()): e for e in (*kept, *entries(*place, [*mine, *(single or [])]))}
        return sorted(merged.values(), key=lambda e: (e["protocol"], e["from_port"], e["to_port"], e["source_type"], e["source"]))

    return read


def _group_field(direction: str) -> Field:
    paths = (
        *PLACE, "context.id", pick(f"item.{direction}[]", *INLINE), pick("rules[]", *RULE), pick(f"{direction}[]", *SINGLE),
        "rules_was", f"{direction}_was",
    )  # fmt: skip
    return Field(paths, _group_rules(direction), absent=[], partial=True, source=GROUP)


def _group(kind: str, is_default: Any) -> PlanTable:
    return PlanTable(
        "firewall",
        "AWS::EC2::SecurityGroup",
        kind,
        {
            "firewall_type": Const("security_group"),
            "network_id": one("vpc", "item.vpc_id"),
            "is_default": is_default,
            "ingress": _group_field("ingress"),
            "egress": _group_field("egress"),
        },
        {
            "rules": Join("aws_security_group_rule", on="security_group_id", many=True),
            "ingress": Join("aws_vpc_security_group_ingress_rule", on="security_group_id", many=True),
            "egress": Join("aws_vpc_security_group_egress_rule", on="security_group_id", many=True),
        },
        name=Field("item.name"),
        tags=TAGS,
    )


def acl_entries(inline: Any, own: Any) -> list[dict[str, Any]]:
    """Entries of a network ACL in the order in which it is read, the last one that denies everything included."""
    found = {}
    for rule in [*(inline or []), *(own or [])]:
        protocol = protocol_of(rule["protocol"])
        source = rule.get("cidr_block") or rule["ipv6_cidr_block"]
        number = rule["rule_no"] if rule.get("rule_no") is not None else rule["rule_number"]
        action = {"allow": "allow", "deny": "deny"}[str(rule.get("action") or rule["rule_action"]).lower()]
        entry = _entry(protocol, ports_of(protocol, rule.get("from_port"), rule.get("to_port")), source, "cidr")
        found[number, source] = {**entry, "action": action, "priority": number}
    found[LAST, "0.0.0.0/0"] = {**_entry("all", (0, 65535), "0.0.0.0/0", "cidr"), "action": "deny", "priority": LAST}
    return sorted(found.values(), key=lambda e: (e["priority"], e["source"]))


def _acl_field(direction: str) -> Field:
    def read(inline: Any, own: Any) -> list[dict[str, Any]]:
        egress = direction == "egress"
        return acl_entries(inline, [r for r in own or [] if (r.get("egress") or False) is egress])

    return Field(
        (pick(f"item.{direction}[]", *INLINE_ENTRY), pick("rules[]", *ENTRY)), read, absent=acl_entries([], []), source=DEFAULT_DENY
    )


def _acl(kind: str, *, default: bool) -> PlanTable:
    network = one("vpc", "item.vpc_id")
    subnets = many("subnet", "item.subnet_ids", "subnets[].subnet_id", source=ACL)
    if default:
        # NOTE: it has every subnet that no other one has, whatever the plan says of it
        subnets = Field("context.id", lambda _: MISSING)
        network = one("vpc", "item.default_network_acl_id", "item.vpc_id", absent="", source=docs(kind))
    return PlanTable(
        "firewall",
        "AWS::EC2::NetworkAcl",
        kind,
        {
            "firewall_type": Const("acl"),
            "network_id": network,
            "is_default": Const(default),
            "subnet_ids": subnets,
            "ingress": _acl_field("ingress"),
            "egress": _acl_field("egress"),
        },
        {
            "rules": Join("aws_network_acl_rule", on="network_acl_id", many=True),
            "subnets": Join("aws_network_acl_association", on="network_acl_id", many=True),
        },
        name=title(),
        tags=TAGS,
    )


TABLES: tuple[PlanTable, ...] = (
    # the name is reserved: https://docs.aws.amazon.com/vpc/latest/userguide/default-security-group.html
    _group("aws_security_group", Const(value=False)),
    _group("aws_default_security_group", Const(value=True)),
    _acl("aws_network_acl", default=False),
    _acl("aws_default_network_acl", default=True),
)
