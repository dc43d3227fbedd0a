"""Strangers and everyone: who stands for many."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes.network import port_open_across_namespaces, selects
from scanner.derive.kubernetes.policies.index import Shelf
from scanner.derive.kubernetes.policies.labels import Labels
from scanner.derive.kubernetes.policies.model import Pod, Policy
from scanner.model import Gap, Reason
from tests.collectors.kubernetes.objects import deployment
from tests.scanner.derive.kubernetes.networld import (
    ANYWHERE,
    APP,
    STRANGER,
    anp,
    calico,
    cnp,
    fact,
    ingress,
    policy,
    subject,
    world,
)

UNKNOWN = Reason.NOT_OFFERED


def opened(port: int, *items: dict[str, Any], **options: Any) -> Any:
    of = world(APP, *items, **options)
    found = port_open_across_namespaces(subject(of, name="app"), port, of)
    return found.reason if isinstance(found, Gap) else found


@pytest.mark.parametrize(
    ("rule", "stranger", "anywhere"),
    [
        ({}, True, True),
        ({"from": [{"namespaceSelector": {}}]}, True, False),
        ({"from": [{"podSelector": {}}]}, False, False),
        ({"from": [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"app": "gateway"}}}]}, True, False),
        ({"from": [{"namespaceSelector": {"matchLabels": {"team": "a"}}}]}, False, False),
        ({"from": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "a"}}}]}, False, False),
        (
            {"from": [{"namespaceSelector": {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["a"]}]}}]},
            True,
            False,
        ),
        ({"from": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}, UNKNOWN, True),
        ({"from": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}, UNKNOWN, False),
        ({"from": [{"ipBlock": {"cidr": "203.0.113.0/24"}}]}, False, False),
    ],
)
def test_network_policies(rule: dict[str, Any], stranger: Any, anywhere: Any) -> None:
    assert (ingress(STRANGER, policy(ingress=[rule])), ingress(ANYWHERE, policy(ingress=[rule]))) == (stranger, anywhere)


def test_a_stranger_picks_the_labels_that_no_rule_forbids() -> None:
    opening = [{"action": "Allow", "source": {"selector": "a == 'x' || b in {'y', 'z'}"}}]
    for forbidden, admitted in (("a == 'x'", True), ("a == 'x' || has(b)", False), ("has(a) || b != 'z'", True)):
        rules = [{"action": "Deny", "source": {"selector": forbidden}}, *opening]
        assert ingress(STRANGER, calico(ingress=rules)) is admitted, forbidden


def test_too_many_combinations_are_no_answer() -> None:
    keys = [f"k{n}" for n in range(12)]
    deny = {"action": "Deny", "source": {"selector": " || ".join(f"{k} != 'x'" for k in keys)}}
    allow = {"action": "Allow", "source": {"selector": " && ".join(f"has({k})" for k in keys)}}
    assert ingress(STRANGER, calico(ingress=[deny, allow])) is UNKNOWN


def test_a_port_across_namespaces() -> None:
    assert opened(8080) is True
    assert opened(8080, policy()) is False
    wide = policy("wide", ingress=[{"from": [{"namespaceSelector": {}}], "ports": [{"port": "http"}]}])
    assert (opened(8080, wide), opened(9000, wide)) == (True, False)
    # the port is not known
    assert (opened(0), opened(0, policy()), opened(0, wide)) == (True, False, UNKNOWN)
    assert opened(8080, policy(), manifests=True) is UNKNOWN
    assert opened(8080, wide, manifests=True) is True
    of = world(deployment(spec={"hostNetwork": True}), policy())
    assert isinstance(port_open_across_namespaces(subject(of), 80, of), Gap)


def test_some_port() -> None:
    name = "reachable_from_other_namespaces"
    assert fact(name, APP) is True
    assert fact(name, APP, policy()) is False
    for ports in ([{"port": 9000}], [{"port": 9000, "endPort": 9100}], [{"port": "http"}], []):
        rule: dict[str, Any] = {"from": [{"namespaceSelector": {}}], **({"ports": ports} if ports else {})}
        assert fact(name, APP, policy(ingress=[rule])) is True, ports
    assert fact(name, APP, policy(ingress=[{"ports": [{"port": 53, "protocol": "UDP"}]}])) is False
    assert fact(name, APP, cnp(ingress=[{"fromEntities": ["cluster"]}], ingressDeny=[{"fromEntities": ["all"]}])) is False
    deny = {"action": "Deny", "from": [{"namespaces": {}}], "ports": [{"portRange": {"start": 1, "end": 9000}}]}
    assert fact(name, APP, anp(ingress=[deny])) is True


def test_only_policies_that_may_select_a_pod_are_asked() -> None:
    asked: list[str] = []

    def of(name: str, needs: Any) -> Policy:
        def selects_it(_: Pod) -> bool:
            asked.append(name)
            return True

        return Policy(name, selects_it, needs=needs)

    shelf = Shelf()
    for made in (of("all", None), *(of(f"n{n}", ("app", (f"a{n}",))) for n in range(500)), of("two", ("app", ("a1", "a2")))):
        shelf.add(made)

    def chosen(labels: Labels) -> list[str]:
        asked.clear()
        gap = Gap(Reason.NOT_OFFERED)
        return [p.name for p, _ in shelf.selecting(Pod("s", "n", labels, labels, gap, labels, gap))]

    assert chosen(Labels({"app": "a2", "b": "c"})) == ["all", "n2", "two"]
    assert asked == ["all", "n2", "two"]
    assert chosen(Labels()) == ["all"]
    # a label that may be there counts as there
    assert len(chosen(Labels(gap=Gap(Reason.NOT_OFFERED)))) == 502


def test_selectors_for_others() -> None:
    assert selects({"matchLabels": {"a": "b"}}, {"a": "b"}) is True
    assert isinstance(selects({"matchLabels": {"job-name": "b"}}, {}, maker="batch/v1/Job"), Gap)
