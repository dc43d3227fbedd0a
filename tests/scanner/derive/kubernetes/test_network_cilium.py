"""Cilium's policies. https://docs.cilium.io/en/stable/security/policy/"""

from __future__ import annotations

from typing import Any

import pytest

from collectors.kubernetes.redact import clean
from scanner.model import Reason
from tests.collectors.kubernetes.objects import deployment, pod, thing
from tests.scanner.derive.kubernetes.networld import (
    ANYWHERE,
    APP,
    DENIED,
    METADATA,
    STRANGER,
    cnp,
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


def test_a_policy_closes_the_directions_of_its_rules() -> None:
    assert (fact("ingress_isolated", APP, cnp(ingress=[{}])), fact("egress_isolated", APP, cnp(ingress=[{}]))) == (True, False)
    assert fact("ingress_isolated", APP, cnp(ingressDeny=[{"fromEntities": ["world"]}])) is True
    assert fact("ingress_isolated", APP, cnp(ingress=[{}], enableDefaultDeny={"ingress": False})) is False
    assert fact("ingress_isolated", APP, cnp(ingress=[{}], enableDefaultDeny={"egress": False})) is True
    # "If omitted or empty, this rule does not apply at ingress": https://github.com/UKGovernmentBEIS/inspect_k8s_sandbox/pull/228
    assert fact("ingress_isolated", APP, cnp(ingress=[])) is False
    # https://github.com/cilium/cilium/issues/35558
    assert fact("ingress_isolated", APP, cnp(enableDefaultDeny={"ingress": True})) is False


def test_spec_and_specs() -> None:
    rule: dict[str, Any] = {"endpointSelector": {"matchLabels": {"app": "chat"}}, "ingress": [{}]}
    both = thing(
        "cilium.io/v2", "CiliumNetworkPolicy", "c", specs=[{"endpointSelector": {"matchLabels": {"a": "b"}}, "egress": [{}]}, rule]
    )
    assert (fact("ingress_isolated", APP, both), fact("egress_isolated", APP, both)) == (True, False)
    assert fact("ingress_isolated", APP, both | {"spec": rule | {"egress": [{}]}}) is True
    assert fact("egress_isolated", APP, both | {"spec": rule | {"egress": [{}]}}) is True


@pytest.mark.parametrize(
    ("selector", "chosen"),
    [
        ({}, True),
        ({"matchLabels": {"app": "chat"}}, True),
        ({"matchLabels": {"k8s:app": "chat"}}, True),
        ({"matchLabels": {"any:app": "chat"}}, True),
        ({"matchLabels": {"app": "other"}}, False),
        ({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["chat"]}]}, False),
        ({"matchLabels": {"k8s:io.kubernetes.pod.namespace": "team"}}, True),
        ({"matchLabels": {"io.kubernetes.pod.namespace": "other"}}, False),
        ({"matchLabels": {"io.cilium.k8s.namespace.labels.team": "blue"}}, False),
        ({"matchLabels": {"io.cilium.k8s.policy.serviceaccount": "default"}}, True),
        ({"matchLabels": {"reserved:host": ""}}, False),
        # identities may leave it out
        ({"matchLabels": {"batch.kubernetes.io/job-name": "x"}}, UNKNOWN),
        ({"matchLabels": {"io.cilium.k8s.policy.cluster": "x"}}, UNKNOWN),
    ],
)
def test_selectors(selector: dict[str, Any], chosen: Any) -> None:
    assert fact("ingress_isolated", APP, space("team", team="red"), cnp(endpointSelector=selector, ingress=[{}])) is chosen
    assert (
        fact("ingress_isolated", APP, space("team", team="red"), cnp(namespace=None, endpointSelector=selector, ingress=[{}]))
        is chosen
    )


def test_where_a_policy_lives() -> None:
    assert fact("ingress_isolated", APP, cnp(namespace="other", ingress=[{}])) is False
    assert fact("ingress_isolated", APP, cnp(namespace=None, ingress=[{}])) is True
    nodes = thing("cilium.io/v2", "CiliumClusterwideNetworkPolicy", "c", None, spec={"nodeSelector": {}, "ingress": [{}]})
    assert fact("ingress_isolated", APP, nodes) is False
    nothing = thing("cilium.io/v2", "CiliumClusterwideNetworkPolicy", "c", None, spec={"ingress": [{}]})
    assert fact("ingress_isolated", APP, nothing) is UNKNOWN


ENTITIES = [
    ({"fromEntities": ["all"]}, True, True, True),
    ({"fromEntities": ["cluster"]}, True, True, False),
    ({"fromEntities": ["world"]}, False, False, True),
    ({"fromEntities": ["none"]}, False, False, False),
    ({"fromEntities": ["host", "remote-node", "kube-apiserver"]}, False, False, False),
    ({"fromEntities": []}, False, False, False),
    ({"fromEndpoints": []}, False, False, False),
    ({"fromEndpoints": [{}]}, True, False, False),
    ({"fromEndpoints": [{"matchLabels": {"tier": "front"}}]}, True, False, False),
    ({"fromEndpoints": [{"matchLabels": {"k8s:io.kubernetes.pod.namespace": "other"}}]}, False, True, False),
    ({"fromEndpoints": [{"matchExpressions": [{"key": "io.kubernetes.pod.namespace", "operator": "Exists"}]}]}, True, True, False),
    ({"fromEndpoints": [{"matchLabels": {"io.cilium.k8s.namespace.labels.team": "blue"}}]}, False, True, False),
    ({"fromEndpoints": [{"matchLabels": {"reserved:world": ""}}]}, False, False, True),
    ({"fromCIDR": ["0.0.0.0/0"]}, False, False, True),
    ({"fromCIDRSet": [{"cidr": "0.0.0.0/0", "except": ["10.0.0.0/8"]}]}, False, False, True),
    ({"fromCIDRSet": [{"cidr": "10.0.0.0/8"}]}, False, False, False),
    ({"fromNodes": [{"matchLabels": {"a": "b"}}]}, False, False, False),
    ({"toPorts": [{"ports": [{"port": "80"}]}]}, True, True, True),
    ({"toPorts": [{"ports": [{"port": "81"}]}]}, False, False, False),
    ({"icmps": [{"fields": [{"type": 8}]}]}, False, False, False),
]


@pytest.mark.parametrize(("rule", "near", "far", "outside"), ENTITIES)
def test_peers(rule: dict[str, Any], near: bool, far: bool, outside: bool) -> None:  # noqa: FBT001 - columns of the table
    for made in (cnp(ingress=[rule]), cnp(ingress=[rule], endpointSelector={"matchLabels": {"app": "chat"}})):
        found = [ingress(p, made, PEER, FAR, *SPACES) for p in ("peer", "far", ANYWHERE)]
        assert found == [near, far, outside]
    # a deny rule over an open door is the opposite
    shut = [{"toPorts" if k == "toPorts" else k: v for k, v in rule.items()}]
    opened = cnp("open", ingress=[{"fromEntities": ["all"]}])
    found = [ingress(p, opened, cnp(ingressDeny=shut), PEER, FAR, *SPACES) for p in ("peer", "far", ANYWHERE)]
    assert found == [not near, not far, not outside]


def test_a_rule_without_peers_and_ports_is_read_differently_by_versions() -> None:
    """https://github.com/UKGovernmentBEIS/inspect_k8s_sandbox/pull/228"""
    assert ingress("peer", cnp(ingress=[{}]), PEER) is UNKNOWN
    assert fact("ingress_open_by", APP, cnp(ingress=[{}])) is UNKNOWN
    assert fact("ingress_open_by", APP, cnp(ingress=[{"fromEntities": []}])) == []


@pytest.mark.parametrize(
    ("ports", "port", "protocol", "admitted"),
    [
        ([{"port": "80", "protocol": "TCP"}], 80, "TCP", True),
        ([{"port": "80", "protocol": "TCP"}], 80, "UDP", False),
        ([{"port": "80"}], 80, "UDP", True),
        ([{"port": "80", "protocol": "ANY"}], 80, "SCTP", True),
        ([{"port": "80", "endPort": 90, "protocol": "TCP"}], 85, "TCP", True),
        ([{"port": "0", "protocol": "TCP"}], 9999, "TCP", True),
        ([{"port": "http", "protocol": "TCP"}], 8080, "TCP", True),
        ([{"port": "http", "protocol": "TCP"}], 8081, "TCP", False),
        ([{"port": "dns"}], 53, "UDP", True),
        ([], 1234, "TCP", True),
    ],
)
def test_ports(ports: list[dict[str, Any]], port: int, protocol: str, admitted: bool) -> None:  # noqa: FBT001 - a column of the table
    made = cnp(ingress=[{"fromEntities": ["all"], "toPorts": [{"ports": ports, "rules": {"http": [{"path": "/x"}]}}]}])
    assert ingress(STRANGER, made, port=port, protocol=protocol) is admitted


def test_what_cilium_alone_knows() -> None:
    rules: tuple[dict[str, Any], ...] = (
        {"toFQDNs": [{"matchName": "a.example"}]},
        {"toServices": [{"k8sService": {"serviceName": "x"}}]},
        {"toGroups": [{"aws": {}}]},
    )
    for rule in rules:
        assert egress(METADATA, cnp(egress=[rule])) is UNKNOWN
        # it does not count where something else decides
        assert egress(METADATA, cnp(egress=[rule]), cnp("all", egress=[{"toEntities": ["world"]}])) is True
    assert egress("far", cnp(egress=[{"toFQDNs": [{"matchName": "a.example"}]}]), FAR, *SPACES) is False
    assert fact("egress_open_by", APP, cnp(egress=[{"toFQDNs": [{"matchPattern": "*"}]}])) == ["cnp"]
    assert egress(METADATA, cnp(egress=[{"toEntities": ["world"], "toSomething": []}])) is UNKNOWN
    assert ingress("peer", cnp(ingress=[{"fromEndpoints": [{}], "fromRequires": [{"matchLabels": {"a": "b"}}]}]), PEER) is UNKNOWN


@pytest.mark.parametrize(
    ("rule", "reached"),
    [
        ({"toEntities": ["world"]}, True),
        ({"toEntities": ["world"], "toPorts": [{"ports": [{"port": "443"}]}]}, False),
        ({"toEntities": ["cluster", "kube-apiserver"]}, False),
        ({"toCIDRSet": [{"cidr": "0.0.0.0/0", "except": ["169.254.169.254/32"]}]}, False),
        ({"toCIDR": ["169.254.0.0/16"]}, True),
        ({"toEndpoints": [{}]}, False),
    ],
)
def test_metadata(rule: dict[str, Any], reached: bool) -> None:  # noqa: FBT001 - a column of the table
    assert fact("metadata_reachable", APP, cnp(egress=[rule])) is reached
    assert fact("metadata_reachable", APP, cnp(egress=[rule]), cnp("no", egressDeny=[{"toCIDR": ["169.254.169.254/32"]}])) is False


def test_denies_win_over_everything_in_files_too() -> None:
    no = cnp(egressDeny=[{"toCIDR": ["169.254.169.254/32"]}])
    for more in ((), (policy(egress=[{}]),), (cnp("yes", egress=[{"toEntities": ["all"]}]),)):
        assert fact("metadata_reachable", APP, no, *more) is False
        assert fact("metadata_reachable", APP, no, *more, manifests=True) is False
    assert fact("metadata_reachable", APP, cnp(egress=[{"toEndpoints": [{}]}]), manifests=True) is UNKNOWN


def test_they_add_to_network_policies() -> None:
    assert ingress("peer", policy(), cnp(ingress=[{"fromEndpoints": [{}]}]), PEER) is True
    assert ingress("far", policy(), cnp(ingress=[{"fromEndpoints": [{}]}]), FAR, *SPACES) is False
    assert ingress("far", policy(ingress=[{}]), cnp(ingress=[{"fromEndpoints": [{}]}]), FAR, *SPACES) is True


def test_groups_of_addresses() -> None:
    group = thing("cilium.io/v2", "CiliumCIDRGroup", "cloud", None, spec={"externalCIDRs": ["169.254.0.0/16"]})
    made = cnp(egress=[{"toCIDRSet": [{"cidrGroupRef": "cloud"}]}])
    assert egress(METADATA, made, group) is True
    # one that does not exist picks nobody: https://github.com/cilium/cilium/pull/29608
    assert egress(METADATA, made) is False
    assert egress(METADATA, made, manifests=True) is UNKNOWN
    assert egress(METADATA, made, gaps={"cilium.io/v2/CiliumCIDRGroup": DENIED}) is Reason.DENIED
    assert egress(METADATA, cnp(egress=[{"toCIDRSet": [{"cidrGroupSelector": {"matchLabels": {"a": "b"}}}]}])) is UNKNOWN


def test_who_admits_everyone() -> None:
    assert fact("ingress_open_by", APP, cnp("wide", ingress=[{"fromEntities": ["cluster"]}])) == ["wide"]
    assert fact("ingress_open_by", APP, cnp("wide", namespace=None, ingress=[{"fromEndpoints": [{}]}])) == ["wide"]
    assert fact("ingress_open_by", APP, cnp(ingress=[{"fromEndpoints": [{}]}])) == []
    assert fact("egress_open_by", APP, cnp("wide", egress=[{"toEntities": ["world"]}])) == ["wide"]
    assert fact("egress_open_by", APP, cnp("wide", egress=[{"toCIDR": ["0.0.0.0/1", "128.0.0.0/1"]}])) == ["wide"]
    # what is denied again is not open
    deny = cnp("no", ingressDeny=[{"fromEntities": ["all"]}])
    assert fact("ingress_open_by", APP, cnp("wide", ingress=[{"fromEntities": ["all"]}]), deny) == []


def test_one_that_was_not_listed_may_do_anything() -> None:
    gaps = {"cilium.io/v2/CiliumNetworkPolicy": DENIED}
    assert fact("ingress_isolated", APP, gaps=gaps) is Reason.DENIED
    assert fact("ingress_isolated", APP, policy(), gaps=gaps) is True
    assert ingress("peer", policy(ingress=[{}]), PEER, gaps=gaps) is Reason.DENIED
    assert ingress("peer", cnp(ingressDeny=[{"fromEntities": ["all"]}]), PEER, gaps=gaps) is False


def test_strangers() -> None:
    assert ingress(STRANGER, cnp(ingress=[{"fromEndpoints": [{}]}])) is False
    anywhere = [{"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "io.kubernetes.pod.namespace", "operator": "Exists"}]}]
    # whoever makes a pod picks its labels
    assert ingress(STRANGER, cnp(ingress=[{"fromEndpoints": anywhere}])) is True
    named = [{"matchLabels": {"k8s:io.kubernetes.pod.namespace": "monitoring"}}]
    assert ingress(STRANGER, cnp(ingress=[{"fromEndpoints": named}])) is False
    assert fact("reachable_from_other_namespaces", APP, cnp(ingress=[{"fromEndpoints": anywhere}])) is True
    assert fact("reachable_from_other_namespaces", APP, cnp(ingress=[{"fromEndpoints": named}])) is False


def test_the_mode_that_closes_every_pod() -> None:
    """https://docs.cilium.io/en/stable/security/policy/intro/#policy-enforcement-modes."""

    def settings(mode: str) -> dict[str, Any]:
        found: dict[str, Any] = clean(thing("v1", "ConfigMap", "cilium-config", "kube-system", data={"enable-policy": mode}))
        return found

    app = deployment("d", labels={"app": "chat"})
    assert fact("ingress_isolated", app, settings("always")) is True
    assert fact("metadata_reachable", app, settings("always")) is False
    assert fact("ingress_isolated", app, settings("default")) is False
