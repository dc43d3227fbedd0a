"""Kubernetes' own NetworkPolicies.

Policies only ever add: a pod that one policy selects for a direction is isolated in it, and may then do what any policy that selects it
allows. https://kubernetes.io/docs/concepts/services-networking/network-policies/
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scanner.derive.kubernetes.policies.labels import hints, needed, requirements, selected
from scanner.derive.kubernetes.policies.model import (
    DIRECTIONS,
    INGRESS,
    Action,
    Block,
    Connection,
    Pod,
    Pods,
    Policy,
    Ports,
    Rule,
    Source,
    networks,
)
from scanner.derive.three import Truth, all_of
from scanner.derive.world import World
from scanner.model import Gap, Resource

ORDER = 1000.0
"""Where Calico puts them in its default tier: https://docs.tigera.io/calico/latest/network-policy/policy-tiers/tiered-policy"""
NAMESPACE_NAME = "kubernetes.io/metadata.name"
"""https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-metadata-name"""
PEERS = {INGRESS: "from", "Egress": "to"}


def translate(resource: Resource, namespace: str, world: World) -> Policy:
    """One NetworkPolicy."""
    facts: dict[str, Any] = {name: world.fact(resource, name) for name in ("selector", "policy_types", "ingress", "egress")}
    gap = next((f for f in facts.values() if isinstance(f, Gap)), None)
    if gap is not None:
        return Policy(resource.name, lambda _: gap, order=ORDER, additive=True, gap=gap)
    selector: Mapping[str, Any] = facts["selector"]
    types = frozenset(d for d in DIRECTIONS if d in facts["policy_types"])
    # NOTE: rules of a direction that the policy does not speak of have no effect
    rules = {d: tuple(rule(r, d, namespace) for r in facts[d.lower()]) for d in types}
    asked = requirements(selector)

    def subject(pod: Pod) -> Truth:
        return pod.namespace == namespace and selected(asked, pod.labels)

    return Policy(resource.name, subject, rules, types, order=ORDER, additive=True, needs=needed(asked))


def rule(raw: Mapping[str, Any], direction: str, namespace: str) -> Rule:
    """One rule; without peers it is about everyone, without ports about every port."""
    peers, ports = raw.get(PEERS[direction]) or [], raw.get("ports") or []
    return Rule(
        Action.ALLOW,
        tuple(_peer(p, namespace) for p in peers) if peers else None,
        tuple(port(p) for p in ports) if ports else None,
    )


def _peer(raw: Mapping[str, Any], namespace: str) -> Source:
    block = raw.get("ipBlock")
    if block is not None:
        return Block(networks([block.get("cidr")]), networks(block.get("except") or []))
    spaces, chosen = raw.get("namespaceSelector"), raw.get("podSelector")
    around, own = requirements(spaces or {}), requirements(chosen or {})

    def picks(_: Connection, pod: Pod) -> Truth:
        inside: Truth = pod.namespace == namespace if spaces is None else selected(around, pod.namespace_labels)
        return inside if inside is False else all_of((inside, selected(own, pod.labels)))

    # NOTE: every namespace has the label that says its name
    everyone = spaces is not None and not own and all(r[:2] == (NAMESPACE_NAME, "Exists") for r in around)
    return Pods(picks, everyone, hints(chosen))


def port(raw: Mapping[str, Any]) -> Ports:
    """One entry of `ports`: https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1/."""
    protocol, first = str(raw.get("protocol") or "TCP"), raw.get("port")
    if first is None:
        return Ports(protocol)
    if isinstance(first, int):
        return Ports(protocol, first, int(raw.get("endPort") or first))
    return Ports(protocol, name=str(first))
