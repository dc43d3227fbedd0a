"""Entries of security groups and network ACLs, in the one shape that the kind `firewall` describes.

A port-less protocol (ICMP, ESP, …) has the ports -1 to -1, so that no test of a port takes it for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws.arn import arn

ALL_PORTS = (0, 65535)
NO_PORTS = (-1, -1)

PROTOCOLS = {"-1": "all", "1": "icmp", "6": "tcp", "17": "udp", "58": "icmpv6"}
"""IANA numbers as AWS writes them; the rest stay numbers: https://www.iana.org/assignments/protocol-numbers/"""


def protocol_of(value: Any) -> str:
    """`all`, `tcp`, `udp`, `icmp`, `icmpv6`, or the protocol's number."""
    text = str(value).lower()
    return PROTOCOLS.get(text, text)


def ports_of(protocol: str, first: int | None, last: int | None) -> tuple[int, int]:
    """The ports of an entry; ICMP writes types and codes in their place, which are none."""
    if protocol == "all":
        return ALL_PORTS
    if protocol not in ("tcp", "udp"):
        return NO_PORTS
    if first is None or last is None or first < 0 or last < 0:
        return ALL_PORTS
    return first, last


def _entry(protocol: str, ports: tuple[int, int], source: str, kind: str, action: str, priority: int) -> dict[str, Any]:
    return {
        "protocol": protocol,
        "from_port": ports[0],
        "to_port": ports[1],
        "source": source,
        "source_type": kind,
        "action": action,
        "priority": priority,
    }


def group_rules(
    partition: str, region: str, account: str, own: str, permissions: list[Mapping[str, Any]] | None
) -> list[dict[str, Any]]:
    """Entries of a security group, one a source, in a fixed order. All have priority 0: they only ever allow."""
    found = []
    for permission in permissions or []:
        protocol = protocol_of(permission["IpProtocol"])
        ports = ports_of(protocol, permission.get("FromPort"), permission.get("ToPort"))
        sources = [(r["CidrIp"], "cidr") for r in permission.get("IpRanges") or []]
        sources += [(r["CidrIpv6"], "cidr") for r in permission.get("Ipv6Ranges") or []]
        sources += [
            (arn("ec2", "prefix-list", partition, region, account, p["PrefixListId"]), "prefix_list")
            for p in permission.get("PrefixListIds") or []
        ]
        for pair in permission.get("UserIdGroupPairs") or []:
            owner = pair.get("UserId") or account
            sources.append(
                (
                    arn("ec2", "security-group", partition, region, owner, pair["GroupId"]),
                    "self" if pair["GroupId"] == own else "group",
                )
            )
        found += [_entry(protocol, ports, source, kind, "allow", 0) for source, kind in sources]
    return sorted(found, key=lambda e: (e["protocol"], e["from_port"], e["to_port"], e["source_type"], e["source"]))


def ingress_of_acl(entries: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What a network ACL says of packets that come in, in the order in which it is read."""
    return _acl_rules(entries, egress=False)


def egress_of_acl(entries: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What a network ACL says of packets that go out, in the order in which it is read."""
    return _acl_rules(entries, egress=True)


def _acl_rules(entries: list[Mapping[str, Any]], *, egress: bool) -> list[dict[str, Any]]:
    found = []
    for entry in entries:
        if entry["Egress"] is not egress:
            continue
        protocol = protocol_of(entry["Protocol"])
        ports = entry.get("PortRange") or {}
        source = entry.get("CidrBlock") or entry["Ipv6CidrBlock"]
        action = {"allow": "allow", "deny": "deny"}[entry["RuleAction"].lower()]
        found.append(
            _entry(protocol, ports_of(protocol, ports.get("From"), ports.get("To")), source, "cidr", action, entry["RuleNumber"])
        )
    return sorted(found, key=lambda e: (e["priority"], e["source"]))
