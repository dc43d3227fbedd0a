"""Calico's policies. https://docs.tigera.io/calico/latest/reference/resources/networkpolicy"""

from __future__ import annotations

from typing import Any

import pytest

from scanner.model import Reason
from tests.collectors.kubernetes.objects import pod, thing
from tests.scanner.derive.kubernetes.networld import (
    ANYWHERE,
    APP,
    DENIED,
    METADATA,
    STRANGER,
    anp,
    calico,
    cnp,
    deployment,
    egress,
    fact,
    ingress,
    policy,
    space,
)

UNKNOWN = Reason.NOT_OFFERED
PEER = pod("peer", labels={"app": "web", "tier": "front"})
FAR = pod("far", namespace="other", labels={"app": "web"})
SPACES = (space("team"), space("other", team="blue"))
ALLOW, DENY, PASS = ({"action": a} for a in ("Allow", "Deny", "Pass"))
HTTP = {"protocol": "TCP", "destination": {"ports": [80]}}


def tier(name: str, order: float | None, **spec: Any) -> dict[str, Any]:
    return thing("projectcalico.org/v3", "Tier", name, None, spec={**({} if order is None else {"order": order}), **spec})


@pytest.mark.parametrize(
    ("spec", "closed"),
    [
        ({}, (True, False)),
        ({"ingress": [ALLOW]}, (True, False)),
        ({"egress": [ALLOW]}, (False, True)),
        ({"ingress": [ALLOW], "egress": [ALLOW]}, (True, True)),
        ({"types": ["Egress"], "ingress": [ALLOW]}, (False, True)),
    ],
)
def test_directions(spec: dict[str, Any], closed: tuple[bool, bool]) -> None:
    assert (fact("ingress_isolated", APP, calico(**spec)), fact("egress_isolated", APP, calico(**spec))) == closed


@pytest.mark.parametrize(
    ("spec", "chosen"),
    [
        ({"selector": ""}, True),
        ({"selector": "all()"}, True),
        ({"selector": "app == 'chat'"}, True),
        ({"selector": 'app != "chat"'}, False),
        ({"selector": "has(app) && !has(tier)"}, True),
        ({"selector": "projectcalico.org/namespace == 'team'"}, True),
        ({"selector": "projectcalico.org/orchestrator == 'k8s'"}, True),
        ({"selector": "pcns.team == 'red'"}, True),
        ({"selector": "pcsa.role == 'x'"}, False),
        ({"namespaceSelector": "team == 'red'"}, True),
        ({"namespaceSelector": "projectcalico.org/name in {'other', 'x'}"}, False),
        ({"namespaceSelector": "all()"}, True),
        ({"serviceAccountSelector": "projectcalico.org/name == 'default'"}, True),
        ({"serviceAccountSelector": "role == 'x'"}, False),
        ({"selector": "app ="}, Reason.UNPARSABLE),
        ({"applyOnForward": True, "doNotTrack": True}, UNKNOWN),
        ({"preDNAT": True, "applyOnForward": True, "selector": "app == 'other'"}, False),
    ],
)
def test_whom_a_policy_selects(spec: dict[str, Any], chosen: Any) -> None:
    assert fact("ingress_isolated", APP, space("team", team="red"), calico(**spec)) is chosen


def test_where_a_policy_lives() -> None:
    assert fact("ingress_isolated", APP, calico(namespace="team")) is True
    assert fact("ingress_isolated", APP, calico(namespace="other")) is False
    assert (
        fact("ingress_isolated", APP, thing("crd.projectcalico.org/v1", "NetworkPolicy", "default.np", spec={"selector": "all()"}))
        is True
    )
    # a staged policy does nothing, and nobody reads it
    assert (
        fact("ingress_isolated", APP, thing("projectcalico.org/v3", "StagedNetworkPolicy", "s", spec={"selector": "all()"}))
        is False
    )
    assert fact("ingress_isolated", APP, thing("projectcalico.org/v3", "GlobalNetworkPolicy", "g", None)) is UNKNOWN


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ({}, (True, True, True)),
        ({"selector": "app == 'web'"}, (True, True, False)),
        ({"selector": "has(tier)"}, (True, False, False)),
        ({"notSelector": "has(tier)"}, (False, True, True)),
        ({"namespaceSelector": "team == 'blue'"}, (False, True, False)),
        ({"namespaceSelector": "all()"}, (True, True, False)),
        ({"namespaceSelector": "global()"}, (False, False, False)),
        ({"namespaceSelector": "projectcalico.org/name == 'team'", "selector": "has(tier)"}, (True, False, False)),
        ({"serviceAccounts": {"names": ["default"]}}, (True, True, False)),
        ({"serviceAccounts": {"names": ["other"]}}, (False, False, False)),
        ({"serviceAccounts": {"selector": "has(role)"}}, (False, False, False)),
        ({"nets": ["0.0.0.0/0"]}, (True, True, True)),
        ({"nets": ["203.0.113.0/24"]}, (False, False, False)),
        ({"nets": ["10.0.0.0/8"]}, (UNKNOWN, UNKNOWN, False)),
        ({"notNets": ["203.0.113.0/24"]}, (True, True, True)),
        ({"services": {"name": "x"}}, (UNKNOWN, UNKNOWN, UNKNOWN)),
        ({"ports": [12345]}, (UNKNOWN, UNKNOWN, UNKNOWN)),
        ({"somethingNew": 1}, (UNKNOWN, UNKNOWN, UNKNOWN)),
    ],
)
def test_peers(source: dict[str, Any], found: tuple[Any, ...]) -> None:
    made = calico(ingress=[{"action": "Allow", "protocol": "TCP", "source": source}])
    assert tuple(ingress(p, made, PEER, FAR, *SPACES) for p in ("peer", "far", ANYWHERE)) == found


def test_a_namespaced_policy_means_its_own_namespace() -> None:
    def near_and_far(source: dict[str, Any]) -> tuple[Any, ...]:
        made = calico(namespace="team", ingress=[{"action": "Allow", "source": source}])
        return tuple(ingress(p, made, PEER, FAR, *SPACES) for p in ("peer", "far", ANYWHERE))

    assert near_and_far({"selector": "app == 'web'"}) == (True, False, False)
    assert near_and_far({"selector": "all()"}) == (True, False, False)
    assert near_and_far({"selector": "app == 'web'", "namespaceSelector": "all()"}) == (True, True, False)
    assert near_and_far({"notSelector": "has(tier)"}) == (False, False, False)
    assert near_and_far({}) == (True, True, True)


@pytest.mark.parametrize(
    ("rule", "port", "protocol", "admitted"),
    [
        ({"protocol": "TCP", "destination": {"ports": [80]}}, 80, "TCP", True),
        ({"protocol": "TCP", "destination": {"ports": [80]}}, 80, "UDP", False),
        ({"protocol": 6, "destination": {"ports": ["70:80"]}}, 80, "TCP", True),
        ({"protocol": "TCP", "destination": {"ports": ["http"]}}, 8080, "TCP", True),
        ({"protocol": "TCP", "destination": {"ports": ["http"]}}, 80, "TCP", False),
        ({"protocol": "TCP", "destination": {"notPorts": [80, "90:99"]}}, 95, "TCP", False),
        ({"protocol": "TCP", "destination": {"notPorts": [80, "90:99"]}}, 85, "TCP", True),
        ({"protocol": "UDP"}, 85, "TCP", False),
        ({"notProtocol": "UDP"}, 85, "TCP", True),
        ({"notProtocol": "TCP"}, 85, "TCP", False),
        ({"protocol": "ICMP", "icmp": {"type": 8}}, 85, "TCP", False),
        ({"protocol": "TCP", "http": {"methods": ["GET"]}}, 85, "TCP", True),
        ({}, 85, "SCTP", True),
    ],
)
def test_ports(rule: dict[str, Any], port: int, protocol: str, admitted: bool) -> None:  # noqa: FBT001 - a column of the table
    assert ingress("peer", calico(ingress=[{"action": "Allow", **rule}]), PEER, port=port, protocol=protocol) is admitted


def test_the_first_rule_that_matches_decides() -> None:
    assert ingress("peer", calico(ingress=[DENY, ALLOW]), PEER) is False
    assert ingress("peer", calico(ingress=[ALLOW, DENY]), PEER) is True
    assert ingress("peer", calico(ingress=[{"action": "Log"}, ALLOW]), PEER) is True
    assert ingress("peer", calico("b", order=1, ingress=[DENY]), calico("a", order=2, ingress=[ALLOW]), PEER) is False
    assert ingress("peer", calico("b", order=3, ingress=[DENY]), calico("a", order=2, ingress=[ALLOW]), PEER) is True
    # without an order it is the last one; of one order the name decides
    assert ingress("peer", calico("a", ingress=[DENY]), calico("b", order=99999, ingress=[ALLOW]), PEER) is True
    assert ingress("peer", calico("a", ingress=[DENY]), calico("b", ingress=[ALLOW]), PEER) is False
    assert ingress("peer", calico(ingress=[PASS]), PEER) is True
    assert ingress("peer", calico("a", order=1, ingress=[PASS]), calico("b", order=2, ingress=[DENY]), PEER) is True


def test_network_policies_stand_in_the_default_tier() -> None:
    """https://docs.tigera.io/calico/latest/network-policy/policy-tiers/tiered-policy"""
    assert ingress("peer", policy(ingress=[{}]), calico(order=999, ingress=[DENY]), PEER) is False
    assert ingress("peer", policy(ingress=[{}]), calico(order=1001, ingress=[DENY]), PEER) is True
    assert ingress("peer", policy(), calico(order=1001, ingress=[ALLOW]), PEER) is True
    assert ingress("peer", policy(), calico(order=10, selector="app == 'x'", ingress=[ALLOW]), PEER) is False


def test_tiers() -> None:
    first, late = calico("a", tier="early", ingress=[PASS]), calico("b", order=1, ingress=[DENY])
    early, pass_on = tier("early", 10), calico("a", tier="early", order=1, ingress=[{"action": "Pass", **HTTP}])
    assert ingress("peer", first, late, early, PEER) is False
    assert ingress("peer", calico("a", tier="early", ingress=[ALLOW]), late, early, PEER) is True
    assert ingress("peer", calico("a", tier="early", ingress=[ALLOW]), late, tier("early", 9_999_999), PEER) is False
    assert ingress("peer", calico("a", tier="early", ingress=[ALLOW]), late, tier("early", None), PEER) is False
    # what no rule of a tier speaks of is denied, unless the tier passes it on
    allowed = calico("b", ingress=[ALLOW])
    assert ingress("peer", pass_on, allowed, early, PEER, port=443) is False
    assert ingress("peer", pass_on, allowed, early, PEER, port=80) is True
    assert ingress("peer", pass_on, allowed, tier("early", 10, defaultAction="Pass"), PEER, port=443) is True
    assert fact("ingress_isolated", APP, pass_on, tier("early", 10, defaultAction="Pass")) is False
    assert fact("ingress_isolated", APP, pass_on, early) is True
    # a tier that does not speak of the pod is passed over
    assert ingress("peer", calico("a", tier="early", selector="app == 'x'"), early, PEER) is True


def test_a_tier_that_was_not_seen_leaves_the_order_open() -> None:
    hidden, late = calico("a", tier="early", ingress=[ALLOW]), calico("b", order=1, ingress=[DENY])
    assert ingress("peer", hidden, late, PEER, gaps={"projectcalico.org/v3/Tier": DENIED}) is Reason.DENIED
    assert ingress("peer", hidden, late, PEER, manifests=True) is UNKNOWN


def test_administrators_come_before_the_default_tier() -> None:
    rule = {"action": "Deny", "from": [{"namespaces": {}}]}
    assert ingress("peer", anp(ingress=[rule]), calico(order=1, ingress=[ALLOW]), PEER) is False
    assert ingress("peer", anp(ingress=[rule]), calico("a", tier="t", ingress=[ALLOW]), tier("t", 1), PEER) is True
    assert ingress("peer", anp(ingress=[rule]), calico("a", tier="t", ingress=[ALLOW]), tier("t", 2000), PEER) is False


def test_a_rule_may_ask_about_the_pod_itself() -> None:
    for target, admitted in (
        ({"selector": "app == 'chat'"}, True),
        ({"selector": "app == 'x'"}, False),
        ({"notSelector": "has(app)"}, False),
    ):
        assert ingress("peer", calico(ingress=[{"action": "Allow", "destination": target}]), PEER) is admitted
    assert ingress("peer", calico(ingress=[{"action": "Allow", "destination": {"nets": ["10.0.0.0/8"]}}]), PEER) is UNKNOWN
    assert egress("peer", calico(egress=[{"action": "Allow", "source": {"serviceAccounts": {"names": ["default"]}}}]), PEER) is True


@pytest.mark.parametrize(
    ("rules", "reached"),
    [
        ([ALLOW], True),
        ([], False),
        ([{"action": "Allow", "destination": {"nets": ["169.254.0.0/16"]}}], True),
        ([{"action": "Allow", "destination": {"notNets": ["169.254.169.254/32"]}}], False),
        ([{"action": "Deny", "destination": {"nets": ["169.254.169.254/32"]}}, ALLOW], False),
        ([{"action": "Allow", "destination": {"selector": "all()"}}], True),
        ([{"action": "Allow", "destination": {"selector": "role == 'cloud'"}}], True),
        ([{"action": "Allow", "destination": {"namespaceSelector": "global()", "selector": "role == 'cloud'"}}], True),
        ([{"action": "Allow", "destination": {"namespaceSelector": "all()", "selector": "role == 'cloud'"}}], False),
        ([{"action": "Allow", "destination": {"selector": "has(zone)"}}], False),
    ],
)
def test_metadata_and_sets(rules: list[dict[str, Any]], reached: bool) -> None:  # noqa: FBT001 - a column of the table
    meta = {"labels": {"role": "cloud"}}
    found = thing("projectcalico.org/v3", "GlobalNetworkSet", "s", None, metadata=meta, spec={"nets": ["169.254.169.254/32"]})
    other = thing(
        "projectcalico.org/v3", "NetworkSet", "t", "other", metadata={"labels": {"zone": "1"}}, spec={"nets": ["10.0.0.0/8"]}
    )
    assert fact("metadata_reachable", APP, calico(types=["Egress"], egress=rules), found, other) is reached


def test_a_set_of_a_namespace() -> None:
    def cloud(namespace: str) -> dict[str, Any]:
        meta = {"labels": {"role": "cloud"}}
        return thing("projectcalico.org/v3", "NetworkSet", "s", namespace, metadata=meta, spec={"nets": ["169.254.0.0/16"]})

    rule = {"action": "Allow", "destination": {"selector": "role == 'cloud'"}}
    assert egress(METADATA, calico(namespace="team", egress=[rule]), cloud("team")) is True
    assert egress(METADATA, calico(namespace="team", egress=[rule]), cloud("other")) is False
    assert egress(METADATA, calico(egress=[rule]), gaps={"projectcalico.org/v3/NetworkSet": DENIED}) is Reason.DENIED
    assert egress(METADATA, calico(egress=[rule]), manifests=True) is UNKNOWN


def test_files_prove_no_denial_where_an_earlier_policy_may_allow() -> None:
    deny = calico(order=1, egress=[DENY])
    assert fact("metadata_reachable", APP, deny) is False
    assert fact("metadata_reachable", APP, deny, manifests=True) is UNKNOWN
    assert fact("metadata_reachable", APP, calico(order=1, egress=[ALLOW]), manifests=True) is True
    assert fact("egress_isolated", APP, deny, manifests=True) is True


def test_who_admits_everyone() -> None:
    assert fact("ingress_open_by", APP, calico("wide", ingress=[ALLOW])) == ["wide"]
    assert fact(
        "ingress_open_by", APP, calico("wide", ingress=[{"action": "Allow", "source": {"namespaceSelector": "all()"}}])
    ) == ["wide"]
    assert fact("ingress_open_by", APP, calico("wide", ingress=[{"action": "Allow", "protocol": "TCP"}])) == ["wide"]
    assert fact("ingress_open_by", APP, calico(ingress=[{"action": "Allow", "source": {"selector": "app == 'x'"}}])) == []
    assert (
        fact("ingress_open_by", APP, calico(namespace="team", ingress=[{"action": "Allow", "source": {"selector": "all()"}}])) == []
    )
    assert fact("ingress_open_by", APP, calico(ingress=[{"action": "Allow", **HTTP}])) == []
    assert fact("ingress_open_by", APP, calico("no", order=1, ingress=[DENY]), calico("wide", order=2, ingress=[ALLOW])) == []
    assert fact("egress_open_by", APP, calico("wide", egress=[{"action": "Allow", "destination": {"nets": ["0.0.0.0/0"]}}])) == [
        "wide"
    ]
    sparing = {"action": "Allow", "destination": {"notNets": ["169.254.169.254/32"]}}
    assert fact("egress_open_by", APP, calico(egress=[sparing])) == []
    both = thing("crd.projectcalico.org/v1", "GlobalNetworkPolicy", "default.wide", None, spec={"ingress": [ALLOW]})
    assert fact("ingress_open_by", APP, calico("wide", ingress=[ALLOW]), both) == ["wide"]


def test_two_engines_must_agree() -> None:
    yes, no = calico(ingress=[ALLOW]), calico(ingress=[DENY])
    assert ingress("peer", yes, cnp(ingress=[{"fromEntities": ["all"]}]), PEER) is True
    assert ingress("peer", no, cnp(ingress=[{"fromEntities": ["none"]}]), PEER) is False
    assert ingress("peer", yes, cnp(ingress=[{"fromEntities": ["none"]}]), PEER) is UNKNOWN
    # one that does not speak of the pod has no say
    assert (
        ingress("peer", yes, cnp(endpointSelector={"matchLabels": {"a": "b"}}, ingress=[{"fromEntities": ["none"]}]), PEER) is True
    )


def test_strangers() -> None:
    assert (
        ingress(STRANGER, calico(ingress=[{"action": "Allow", "source": {"selector": "role == 'x' && tier in {'a', 'b'}"}}]))
        is True
    )
    deny = {"action": "Deny", "source": {"selector": "role == 'x'"}}
    assert ingress(STRANGER, calico(ingress=[deny, {"action": "Allow", "source": {"selector": "role == 'x'"}}])) is False
    assert ingress(STRANGER, calico(ingress=[deny, {"action": "Allow", "source": {"selector": "has(role)"}}])) is True
    assert ingress(STRANGER, calico(ingress=[{"action": "Allow", "source": {"namespaceSelector": "team == 'blue'"}}])) is False
    assert ingress(STRANGER, calico(ingress=[{"action": "Allow", "source": {"serviceAccounts": {"names": ["x"]}}}])) is UNKNOWN


def test_labels_that_a_controller_adds() -> None:
    made = calico(selector="job-name == 'x'")
    assert fact("ingress_isolated", deployment("d"), made) is UNKNOWN
    assert fact("ingress_isolated", APP, made) is False
