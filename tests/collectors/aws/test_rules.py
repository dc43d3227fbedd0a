from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.aws import rules

PLACE = ("aws", "r", "1")
SG = "arn:aws:ec2:r:1:security-group/"


def entry(protocol, first, last, source, kind="cidr", action="allow", priority=0):
    return {
        "protocol": protocol,
        "from_port": first,
        "to_port": last,
        "source": source,
        "source_type": kind,
        "action": action,
        "priority": priority,
    }


def test_one_entry_a_source():
    permission = {
        "IpProtocol": "tcp",
        "FromPort": 22,
        "ToPort": 23,
        "IpRanges": [{"CidrIp": "10.0.0.0/8"}, {"CidrIp": "0.0.0.0/1"}],
        "Ipv6Ranges": [{"CidrIpv6": "::/0"}],
        "PrefixListIds": [{"PrefixListId": "pl-1"}],
        "UserIdGroupPairs": [{"GroupId": "sg-1", "UserId": "1"}, {"GroupId": "sg-2", "UserId": "2"}, {"GroupId": "sg-3"}],
    }
    assert rules.group_rules(*PLACE, "sg-1", [permission]) == [
        entry("tcp", 22, 23, "0.0.0.0/1"),
        entry("tcp", 22, 23, "10.0.0.0/8"),
        entry("tcp", 22, 23, "::/0"),
        entry("tcp", 22, 23, f"{SG}sg-3", "group"),
        entry("tcp", 22, 23, "arn:aws:ec2:r:2:security-group/sg-2", "group"),
        entry("tcp", 22, 23, "arn:aws:ec2:r:1:prefix-list/pl-1", "prefix_list"),
        entry("tcp", 22, 23, f"{SG}sg-1", "self"),
    ]


@pytest.mark.parametrize(
    ("protocol", "first", "last", "expected"),
    [
        ("-1", None, None, ("all", 0, 65535)),
        ("-1", -1, -1, ("all", 0, 65535)),
        ("tcp", 0, 65535, ("tcp", 0, 65535)),
        ("6", 443, 443, ("tcp", 443, 443)),
        ("udp", None, None, ("udp", 0, 65535)),
        ("icmp", 8, -1, ("icmp", -1, -1)),
        ("icmp", -1, -1, ("icmp", -1, -1)),
        ("icmpv6", None, None, ("icmpv6", -1, -1)),
        ("58", None, None, ("icmpv6", -1, -1)),
        ("50", None, None, ("50", -1, -1)),
    ],
)
def test_protocols_and_ports(protocol, first, last, expected):
    permission = {"IpProtocol": protocol, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
    permission |= {k: v for k, v in (("FromPort", first), ("ToPort", last)) if v is not None}
    (found,) = rules.group_rules(*PLACE, "sg-1", [permission])
    assert (found["protocol"], found["from_port"], found["to_port"]) == expected


def test_no_permissions():
    assert rules.group_rules(*PLACE, "sg-1", None) == []
    assert rules.group_rules(*PLACE, "sg-1", [{"IpProtocol": "-1", "IpRanges": []}]) == []


def test_acl_in_order_of_number():
    entries = [
        {"Egress": False, "RuleNumber": 32767, "Protocol": "-1", "RuleAction": "deny", "CidrBlock": "0.0.0.0/0"},
        {
            "Egress": False,
            "RuleNumber": 100,
            "Protocol": "6",
            "RuleAction": "allow",
            "CidrBlock": "0.0.0.0/0",
            "PortRange": {"From": 22, "To": 22},
        },
        {"Egress": False, "RuleNumber": 90, "Protocol": "17", "RuleAction": "deny", "Ipv6CidrBlock": "::/0"},
        {
            "Egress": False,
            "RuleNumber": 95,
            "Protocol": "1",
            "RuleAction": "allow",
            "CidrBlock": "0.0.0.0/0",
            "IcmpTypeCode": {"Type": 8},
        },
        {"Egress": True, "RuleNumber": 100, "Protocol": "-1", "RuleAction": "allow", "CidrBlock": "0.0.0.0/0"},
    ]
    assert rules.ingress_of_acl(entries) == [
        entry("udp", 0, 65535, "::/0", action="deny", priority=90),
        entry("icmp", -1, -1, "0.0.0.0/0", priority=95),
        entry("tcp", 22, 22, "0.0.0.0/0", priority=100),
        entry("all", 0, 65535, "0.0.0.0/0", action="deny", priority=32767),
    ]
    assert rules.egress_of_acl(entries) == [entry("all", 0, 65535, "0.0.0.0/0", priority=100)]


def test_an_entry_without_a_source_is_not_read_as_nothing():
    with pytest.raises(KeyError):
        rules.ingress_of_acl([{"Egress": False, "RuleNumber": 1, "Protocol": "-1", "RuleAction": "allow"}])


cidr = st.tuples(st.integers(0, 255), st.integers(0, 32)).map(lambda p: f"{p[0]}.0.0.0/{p[1]}")
permissions = st.lists(
    st.fixed_dictionaries(
        {
            "IpProtocol": st.sampled_from(["-1", "tcp", "udp", "icmp", "6", "47"]),
            "IpRanges": st.lists(cidr.map(lambda c: {"CidrIp": c})),
        },
        optional={"FromPort": st.integers(-1, 65535), "ToPort": st.integers(-1, 65535)},
    )
)


@given(permissions)
def test_every_source_is_kept_and_every_port_is_in_range(found):
    made = rules.group_rules(*PLACE, "sg-1", found)
    assert sorted(r["source"] for r in made) == sorted(r["CidrIp"] for p in found for r in p["IpRanges"])
    assert all(-1 <= r["from_port"] <= 65535 and -1 <= r["to_port"] <= 65535 for r in made)
    assert made == rules.group_rules(*PLACE, "sg-1", list(reversed(found)))
