"""How network policies are read."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.kubernetes import netpols
from tests.collectors.kubernetes.objects import one, thing

NARROW = {"matchLabels": {"a": "b"}}
DNS = [{"protocol": "UDP", "port": 53}, {"protocol": "TCP", "port": 53}]


@pytest.mark.parametrize(
    ("peers", "problems"),
    [
        ([{"namespaceSelector": NARROW}, {"podSelector": NARROW}], ["split"]),
        ([{"namespaceSelector": NARROW, "podSelector": NARROW}], []),
        ([{"namespaceSelector": NARROW}, {"podSelector": {}}], []),
        ([{"namespaceSelector": NARROW}], []),
        ([{"podSelector": NARROW}], []),
        ([{"podSelector": NARROW}, {"ipBlock": {"cidr": "10.0.0.0/8"}}], []),
        ([{"namespaceSelector": {}}], ["all_namespaces"]),
        ([{"namespaceSelector": None}], ["all_namespaces"]),
        ([{"namespaceSelector": {}, "podSelector": NARROW}], []),
        ([{"namespaceSelector": {}}, {"namespaceSelector": NARROW}, {"podSelector": NARROW}], ["split", "all_namespaces"]),
        ([{"namespaceSelector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}, {"podSelector": NARROW}], ["split"]),
        ([], []),
    ],
)
def test_ambiguous_peers(peers: list[dict[str, Any]], problems: list[str]) -> None:
    for direction, side in (("ingress", "from"), ("egress", "to")):
        spec = {direction: [{}, {side: peers}]}
        assert netpols.ambiguous_peers(spec) == [{"direction": direction, "rule": 1, "problem": p} for p in problems]


def test_dns_may_go_anywhere() -> None:
    peers: list[dict[str, Any]] = [{"namespaceSelector": {}}]
    assert netpols.ambiguous_peers({"egress": [{"to": peers, "ports": DNS}]}) == []
    assert netpols.ambiguous_peers({"egress": [{"to": peers, "ports": [*DNS, {"port": 80}]}]}) != []
    assert netpols.ambiguous_peers({"egress": [{"to": peers, "ports": [{"port": 53, "endPort": 99}]}]}) != []


def test_cilium() -> None:
    rule = {
        "fromEndpoints": [NARROW],
        "authentication": {"mode": "required"},
        "toPorts": [
            {
                "ports": [{"port": "80", "endPort": 90, "protocol": "TCP", "name": "x"}],
                "rules": {"http": [{"headers": ["X-Token: 0a1b2c3d4e5f"]}]},
                "terminatingTLS": {"secret": {"name": "s"}},
            }
        ],
        "icmps": [{"fields": []}],
        "fromGroups": [{"aws": {"securityGroupsIds": ["sg-1"]}}],
        "fromMoon": True,
    }
    kept = {
        "fromEndpoints": [NARROW],
        "toPorts": [{"ports": [{"port": "80", "endPort": 90, "protocol": "TCP"}], "layer7": True}],
        "icmps": True,
        "fromGroups": [{}],
        "unknown": ["fromMoon"],
    }
    spec = {
        "endpointSelector": NARROW,
        "ingress": [rule],
        "egressDeny": [{}],
        "enableDefaultDeny": {"egress": False},
        "labels": [{}],
    }
    plain = {"selector": NARROW, "node": False, "ingress": [kept], "ingressDeny": [], "egress": [], "egressDeny": [{}]}
    assert netpols.cilium({"spec": spec}) == [plain | {"enableDefaultDeny": {"egress": False}}]
    assert netpols.cilium({"specs": [{"nodeSelector": {}}]}) == [
        {"selector": None, "node": True, "ingress": [], "ingressDeny": [], "egress": [], "egressDeny": [], "enableDefaultDeny": {}}
    ]
    assert netpols.cilium({"spec": {"endpointSelector": {}, "egress": [{"toServices": [], "toEntities": []}]}})[0]["egress"] == [
        {"toServices": [], "toEntities": []}
    ]
    assert one(thing("cilium.io/v2", "CiliumNetworkPolicy", "x")).gaps.keys() == {"specs"}


def test_calico() -> None:
    spec = {
        "tier": "t",
        "order": 5,
        "selector": "all()",
        "performanceHints": ["x"],
        "ingress": [
            {
                "action": "Allow",
                "protocol": "TCP",
                "http": {"paths": [{"exact": "/secret"}]},
                "metadata": {"annotations": {"a": "b"}},
                "source": {"selector": "has(a)", "new": 1},
                "later": 2,
            }
        ],
    }
    rule = {"action": "Allow", "protocol": "TCP", "source": {"selector": "has(a)"}, "unknown": ["later", "new"]}
    assert netpols.calico({"spec": spec}) == [{"tier": "t", "order": 5, "selector": "all()", "ingress": [rule]}]
    assert netpols.calico({"spec": {}}) == [{}]
    assert one(thing("projectcalico.org/v3", "NetworkPolicy", "x")).gaps.keys() == {"specs"}


def test_what_policies_refer_to() -> None:
    tier = one(thing("projectcalico.org/v3", "Tier", "t", None, spec={"order": 10, "defaultAction": "Pass"}))
    assert dict(tier.facts) == {"configuration_type": "policy_tier", "order": 10.0, "default_action": "Pass"}
    last = one(thing("crd.projectcalico.org/v1", "Tier", "t", None, spec={}))
    assert dict(last.facts) == {"configuration_type": "policy_tier", "order": None, "default_action": "Deny"}
    found = one(thing("projectcalico.org/v3", "NetworkSet", "s", spec={"nets": ["10.0.0.0/8"]}))
    assert dict(found.facts) == {"configuration_type": "network_set", "namespace": "team", "networks": ["10.0.0.0/8"]}
    group = one(thing("cilium.io/v2", "CiliumCIDRGroup", "g", None, spec={"externalCIDRs": ["10.0.0.0/8"]}))
    assert dict(group.facts) == {"configuration_type": "address_group", "networks": ["10.0.0.0/8"]}


def test_administrators_policies() -> None:
    rule = {"name": "r", "action": "Deny", "from": [{"namespaces": {}}], "more": 1}
    spec = {"priority": 3, "subject": {"namespaces": {}}, "ingress": [rule], "other": 1}
    kept = {k: v for k, v in rule.items() if k != "more"}
    assert netpols.admin({"spec": spec}) == [{"priority": 3, "subject": {"namespaces": {}}, "ingress": [kept], "egress": []}]
    made = one(thing("policy.networking.k8s.io/v1alpha2", "ClusterNetworkPolicy", "x", None, spec={"tier": "Admin", **spec}))
    assert made.facts["specs"] == [{"tier": "Admin", "priority": 3, "subject": {"namespaces": {}}, "ingress": [kept], "egress": []}]
    # a newer version of the API is read by the same table
    newer = one(thing("policy.networking.k8s.io/v1beta1", "ClusterNetworkPolicy", "x", None, spec=spec))
    assert newer.native_type == "policy.networking.k8s.io/v1alpha2/ClusterNetworkPolicy"
