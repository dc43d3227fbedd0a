"""AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy. https://network-policy-api.sigs.k8s.io/api-overview/"""

from __future__ import annotations

from typing import Any

import pytest

from scanner.model import Reason
from tests.collectors.kubernetes.objects import deployment, pod, thing
from tests.scanner.derive.kubernetes.networld import (
    ANYWHERE,
    APP,
    DENIED,
    METADATA,
    STRANGER,
    anp,
    banp,
    cluster_policy,
    egress,
    fact,
    ingress,
    policy,
    space,
)

UNKNOWN = Reason.NOT_OFFERED
PEER = pod("peer", labels={"app": "web"})
FAR = pod("far", namespace="other", labels={"app": "web", "tier": "front"})
SPACES = (space("team", team="red"), space("other", team="blue"))
EVERY: list[dict[str, Any]] = [{"namespaces": {}}]


def rule(action: str, peers: Any = None, side: str = "from", **more: Any) -> dict[str, Any]:
    return {"action": action, side: EVERY if peers is None else peers, **more}


def test_they_come_before_network_policies() -> None:
    assert ingress("peer", anp(ingress=[rule("Deny")]), policy(ingress=[{}]), PEER, *SPACES) is False
    assert ingress("peer", anp(ingress=[rule("Allow")]), policy(), PEER, *SPACES) is True
    assert ingress("peer", anp(ingress=[rule("Pass")]), policy(), PEER, *SPACES) is False
    assert ingress("peer", anp(ingress=[rule("Pass")]), policy(ingress=[{}]), PEER, *SPACES) is True
    assert ingress("peer", anp(ingress=[rule("Pass"), rule("Deny")]), PEER, *SPACES) is True
    assert ingress("peer", anp(egress=[rule("Deny", side="to")]), PEER, *SPACES) is True


def test_the_baseline_comes_behind() -> None:
    assert ingress("peer", banp(ingress=[rule("Deny")]), PEER, *SPACES) is False
    assert ingress("peer", banp(ingress=[rule("Deny")]), policy(ingress=[{}]), PEER, *SPACES) is True
    # a NetworkPolicy that selects the pod decides for good
    assert ingress("peer", banp(ingress=[rule("Allow")]), policy(), PEER, *SPACES) is False
    assert ingress("peer", banp(ingress=[rule("Deny")]), anp(ingress=[rule("Pass")]), PEER, *SPACES) is False
    assert ingress("peer", banp(ingress=[rule("Allow", [{"namespaces": {}}]), rule("Deny")]), PEER, *SPACES) is True


def test_priorities() -> None:
    deny, allow = rule("Deny"), rule("Allow")
    assert ingress("peer", anp("a", 20, ingress=[deny]), anp("b", 10, ingress=[allow]), PEER, *SPACES) is True
    assert ingress("peer", anp("a", 5, ingress=[deny]), anp("b", 10, ingress=[allow]), PEER, *SPACES) is False
    # of equal ones the implementation picks any
    assert ingress("peer", anp("a", 10, ingress=[deny]), anp("b", 10, ingress=[allow]), PEER, *SPACES) is UNKNOWN
    assert ingress("peer", anp("a", 10, ingress=[deny]), anp("b", 10, ingress=[deny]), PEER, *SPACES) is False
    far = anp("b", 10, ingress=[rule("Allow", [{"namespaces": {"matchLabels": {"team": "blue"}}}])])
    assert ingress("peer", anp("a", 10, ingress=[deny]), far, PEER, *SPACES) is False


@pytest.mark.parametrize(
    ("subject", "chosen"),
    [
        ({"namespaces": {}}, True),
        ({"namespaces": {"matchLabels": {"team": "red"}}}, True),
        ({"namespaces": {"matchLabels": {"team": "blue"}}}, False),
        ({"namespaces": {"matchLabels": {"kubernetes.io/metadata.name": "team"}}}, True),
        ({"pods": {"namespaceSelector": {}, "podSelector": {"matchLabels": {"app": "chat"}}}}, True),
        ({"pods": {"podSelector": {"matchLabels": {"app": "x"}}}}, False),
        # an early draft of the API
        ({"namespaceSelector": {}}, UNKNOWN),
    ],
)
def test_subjects(subject: dict[str, Any], chosen: Any) -> None:
    found = fact("ingress_isolated", APP, *SPACES, anp(subject=subject, ingress=[rule("Deny")]))
    assert found is chosen


@pytest.mark.parametrize(
    ("peer", "found"),
    [
        ({"namespaces": {}}, (True, True, False)),
        ({"namespaces": {"matchLabels": {"team": "blue"}}}, (False, True, False)),
        ({"pods": {"namespaceSelector": {}, "podSelector": {"matchLabels": {"app": "web"}}}}, (True, True, False)),
        ({"pods": {"podSelector": {"matchLabels": {"tier": "front"}}}}, (False, True, False)),
        ({"networks": ["0.0.0.0/0"]}, (True, True, True)),
        ({"networks": ["10.0.0.0/8"]}, (UNKNOWN, UNKNOWN, False)),
        ({"nodes": {}}, (False, False, False)),
        ({"domainNames": ["*.example"]}, (False, False, UNKNOWN)),
        ({"namespaces": {"sameLabels": ["team"]}}, (UNKNOWN, UNKNOWN, UNKNOWN)),
        ({}, (UNKNOWN, UNKNOWN, UNKNOWN)),
    ],
)
def test_peers(peer: dict[str, Any], found: tuple[Any, ...]) -> None:
    made = (
        anp(egress=[rule("Allow", [peer], "to")]),
        banp(egress=[rule("Deny", [{"namespaces": {}}, {"networks": ["0.0.0.0/0"]}], "to")]),
    )
    assert tuple(egress(p, *made, PEER, FAR, *SPACES) for p in ("peer", "far", ANYWHERE)) == found


@pytest.mark.parametrize(
    ("ports", "port", "protocol", "denied"),
    [
        ([{"portNumber": {"protocol": "TCP", "port": 80}}], 80, "TCP", True),
        ([{"portNumber": {"port": 80}}], 80, "UDP", False),
        ([{"portRange": {"protocol": "UDP", "start": 50, "end": 60}}], 53, "UDP", True),
        ([{"portRange": {"start": 50, "end": 60}}], 61, "TCP", False),
        ([{"namedPort": "http"}], 8080, "TCP", True),
        ([{"namedPort": "http"}], 80, "TCP", False),
    ],
)
def test_ports(ports: list[dict[str, Any]], port: int, protocol: str, denied: bool) -> None:  # noqa: FBT001 - a column of the table
    assert ingress("peer", anp(ingress=[rule("Deny", ports=ports)]), PEER, *SPACES, port=port, protocol=protocol) is not denied


@pytest.mark.parametrize(
    ("protocols", "port", "protocol", "denied"),
    [
        ([{"tcp": {"destinationPort": {"number": 80}}}], 80, "TCP", True),
        ([{"tcp": {"destinationPort": {"range": {"start": 70, "end": 90}}}}], 91, "TCP", False),
        ([{"udp": {"destinationPort": {"number": 80}}}], 80, "TCP", False),
        ([{"sctp": {}}], 80, "SCTP", True),
        ([{"destinationNamedPort": "http"}], 8080, "TCP", True),
    ],
)
def test_cluster_network_policies(protocols: list[dict[str, Any]], port: int, protocol: str, denied: bool) -> None:  # noqa: FBT001 - as above
    for tier in ("Admin", "Baseline"):
        made = cluster_policy(tier=tier, ingress=[rule("Deny", protocols=protocols)])
        assert ingress("peer", made, PEER, *SPACES, port=port, protocol=protocol) is not denied
    accept = cluster_policy(ingress=[rule("Accept")])
    assert ingress("peer", accept, policy(), PEER, *SPACES) is True
    assert ingress("peer", cluster_policy(tier="Baseline", ingress=[rule("Accept")]), policy(), PEER, *SPACES) is False


def test_what_is_not_of_a_known_shape() -> None:
    assert ingress("peer", cluster_policy(tier="Middle", ingress=[rule("Deny")]), PEER, *SPACES) is UNKNOWN
    assert ingress("peer", anp(ingress=[rule("Explode")]), PEER, *SPACES) is UNKNOWN
    assert ingress("peer", thing("policy.networking.k8s.io/v1alpha1", "AdminNetworkPolicy", "x", None), PEER, *SPACES) is UNKNOWN
    assert fact("ingress_isolated", APP, anp(subject={}, ingress=[])) is UNKNOWN


def test_a_namespace_that_was_not_seen() -> None:
    blue = anp(subject={"namespaces": {"matchLabels": {"team": "blue"}}}, ingress=[rule("Deny")])
    assert fact("ingress_isolated", APP, blue, manifests=True) is UNKNOWN
    assert fact("ingress_isolated", APP, blue, space("team"), manifests=True) is UNKNOWN  # a NetworkPolicy may be missing
    assert fact("ingress_isolated", APP, blue, gaps={"v1/Namespace": DENIED}) is Reason.DENIED
    assert fact("ingress_isolated", APP, blue, policy(), gaps={"v1/Namespace": DENIED}) is True


def test_isolation_is_a_rule_that_denies_all() -> None:
    assert fact("ingress_isolated", APP, *SPACES, banp(ingress=[rule("Deny")])) is True
    assert fact("ingress_isolated", APP, *SPACES, banp(ingress=[rule("Deny", ports=[{"portNumber": {"port": 80}}])])) is False
    # nobody in the cluster is not nobody at all
    assert fact("egress_isolated", APP, *SPACES, banp(egress=[rule("Deny", side="to")])) is False
    assert fact("egress_isolated", APP, *SPACES, banp(egress=[rule("Deny", [{"networks": ["0.0.0.0/0", "::/0"]}], "to")])) is True
    assert fact("ingress_isolated", APP, *SPACES, anp(ingress=[rule("Allow")])) is False


def test_metadata() -> None:
    deny = rule("Deny", [{"networks": ["169.254.169.254/32"]}], "to")
    assert fact("metadata_reachable", APP, *SPACES, anp(egress=[deny])) is False
    assert fact("metadata_reachable", APP, *SPACES, anp(egress=[deny]), policy(egress=[{}])) is False
    assert fact("metadata_reachable", APP, *SPACES, banp(egress=[deny]), policy(egress=[{}])) is True
    # in files another policy may allow it before
    assert fact("metadata_reachable", APP, *SPACES, anp(egress=[deny]), manifests=True) is UNKNOWN
    assert egress(METADATA, anp(egress=[rule("Deny", [{"nodes": {}}], "to")]), *SPACES) is True
    assert egress("10.0.0.9", anp(egress=[rule("Deny", [{"nodes": {}}], "to")]), *SPACES) is UNKNOWN


def test_who_admits_everyone() -> None:
    assert fact("ingress_open_by", APP, *SPACES, policy(), anp("wide", ingress=[rule("Allow")])) == ["wide"]
    assert fact("ingress_open_by", APP, *SPACES, policy("np", ingress=[{}]), anp(ingress=[rule("Deny")])) == [
        "np"
    ]  # the internet still may
    everyone = [{"namespaces": {}}, {"networks": ["0.0.0.0/0", "::/0"]}]
    assert fact("egress_open_by", APP, *SPACES, policy("np", egress=[{}]), anp(egress=[rule("Deny", everyone, "to")])) == []


def test_strangers() -> None:
    assert ingress(STRANGER, banp(ingress=[rule("Deny")]), *SPACES) is False
    named = rule("Allow", [{"namespaces": {"matchLabels": {"team": "blue"}}}])
    assert ingress(STRANGER, anp(ingress=[named, rule("Deny")]), *SPACES) is False
    own = rule("Allow", [{"pods": {"namespaceSelector": {}, "podSelector": {"matchLabels": {"app": "x"}}}}])
    assert ingress(STRANGER, anp(ingress=[own, rule("Deny")]), *SPACES) is True


def test_one_that_was_not_listed_may_do_anything() -> None:
    gaps = {"policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy": DENIED}
    assert ingress("peer", policy(ingress=[{}]), PEER, gaps=gaps) is Reason.DENIED
    assert fact("ingress_isolated", APP, policy(), gaps=gaps) is True
    assert fact("ingress_isolated", APP, gaps=gaps) is Reason.DENIED
    assert fact("metadata_reachable", deployment(spec={"hostNetwork": True}), gaps=gaps) is True
