"""Policies of the administrators of a cluster: AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy.

Those of the admin tier come before NetworkPolicies, by priority; those of the baseline tier after them, for pods that no NetworkPolicy
selects. The first rule that matches decides, or passes on to the next tier. https://network-policy-api.sigs.k8s.io/api-overview/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scanner.derive.kubernetes.policies.labels import SELECTOR_KEYS, hints, narrow, needed, requirements, selected
from scanner.derive.kubernetes.policies.model import (
    DIRECTIONS,
    INGRESS,
    Action,
    Address,
    Block,
    Connection,
    ForPods,
    Network,
    Pod,
    Pods,
    Policy,
    Ports,
    Rule,
    Source,
    Unsure,
    networks,
    unknown,
)
from scanner.derive.three import Truth, all_of

ADMIN, BASELINE = "admin", "baseline"
ACTIONS = {"Allow": Action.ALLOW, "Accept": Action.ALLOW, "Deny": Action.DENY, "Pass": Action.PASS}
TIERS = {"AdminNetworkPolicy": ADMIN, "BaselineAdminNetworkPolicy": BASELINE}


def translate(kind: str, name: str, spec: Mapping[str, Any]) -> Policy:
    """One policy; `kind` is its kind."""
    tier = TIERS.get(kind) or str(spec.get("tier") or "").lower()
    subject = spec.get("subject") or {}
    chosen = _picker(subject)
    priority = spec.get("priority", 0)
    bad = chosen is None or tier not in (ADMIN, BASELINE) or not isinstance(priority, int)
    if bad or chosen is None:
        gap = unknown(f"{kind} {name} is not of a known shape")
        return Policy(name, lambda _: gap, tier=tier if tier == BASELINE else ADMIN, gap=gap)
    rules = {d: tuple(_rule(r, d) for r in spec.get(d.lower()) or []) for d in DIRECTIONS}
    needs = needed(requirements((subject.get("pods") or {}).get("podSelector") or {}))
    return Policy(name, lambda pod: pod.host is False and chosen(pod), rules, tier=tier, order=float(priority), needs=needs)


def _picker(raw: Mapping[str, Any]) -> Any:
    """A function of a pod from `namespaces` or `pods`; None for another shape (early drafts of the API had several)."""
    if set(raw) == {"namespaces"} and set(raw["namespaces"] or {}) <= SELECTOR_KEYS:
        asked = requirements(raw["namespaces"] or {})
        return lambda pod: selected(asked, pod.namespace_labels)
    if set(raw) == {"pods"} and set(raw["pods"] or {}) <= {"namespaceSelector", "podSelector"}:
        spaces, own = (requirements((raw["pods"] or {}).get(k) or {}) for k in ("namespaceSelector", "podSelector"))
        return lambda pod: all_of((selected(spaces, pod.namespace_labels), selected(own, pod.labels)))
    return None


def _rule(raw: Mapping[str, Any], direction: str) -> Rule:
    action = ACTIONS.get(str(raw.get("action")))
    peers = raw.get("from" if direction == INGRESS else "to") or []
    ports = raw.get("ports") if "ports" in raw else raw.get("protocols")
    also: tuple[Unsure, ...] = ()
    if action is None or not peers:
        also = (
            Unsure(unknown(f"the action or the peers of a rule of an administrator's policy ({raw.get('name') or 'no name'})")),
        )
    return Rule(
        action or Action.DENY, tuple(_peer(p) for p in peers) if peers else None, tuple(_ports(ports)) if ports else None, also
    )


def _peer(raw: Mapping[str, Any]) -> Source:
    chosen = _picker(raw)
    if chosen is not None:
        parts: Sequence[Any] = [raw["namespaces"]] if "namespaces" in raw else [*(raw["pods"] or {}).values()]
        own = (raw.get("pods") or {}).get("podSelector")
        return Pods(lambda _, pod: chosen(pod), not any(narrow(p) for p in parts), hints(own))
    if set(raw) == {"networks"}:
        # NOTE: traffic inside of the cluster is checked against blocks too
        # https://github.com/kubernetes-sigs/network-policy-api/blob/main/apis/v1alpha2/clusternetworkpolicy_types.go
        return Block(networks(raw["networks"] or []), pods=ForPods.ALWAYS)
    if set(raw) == {"nodes"}:
        return _Nodes()
    if set(raw) == {"domainNames"}:
        return _Domains()
    return Unsure(unknown(f"peers by {', '.join(sorted(raw)) or 'nothing'} are not read"))


def _ports(entries: Any) -> list[Ports]:
    """Ports in the shapes of the three APIs."""
    found: list[Ports] = []
    for raw in entries:
        number, span, name = raw.get("portNumber"), raw.get("portRange"), raw.get("namedPort") or raw.get("destinationNamedPort")
        if name:
            found.append(Ports(None, name=str(name)))
        elif number:
            found.append(Ports(str(number.get("protocol") or "TCP"), int(number["port"]), int(number["port"])))
        elif span:
            found.append(Ports(str(span.get("protocol") or "TCP"), int(span["start"]), int(span["end"])))
        else:
            found += [_protocol(key.upper(), value or {}) for key, value in raw.items()]
    return found


def _protocol(name: str, value: Mapping[str, Any]) -> Ports:
    port = value.get("destinationPort") or {}
    if port.get("range"):
        return Ports(name, int(port["range"]["start"]), int(port["range"]["end"]))
    return Ports(name, int(port["number"]), int(port["number"])) if port.get("number") else Ports(name)


class _Nodes:
    """Addresses of nodes."""

    hints: Mapping[str, frozenset[str]] = {}

    def matches(self, at: Connection) -> Truth:
        if isinstance(at.peer, Pod):
            return False if at.peer.host is False else unknown("a pod on the host's network has its node's address")
        return False if at.peer.outside or at.peer.ip.is_link_local else unknown(f"whether {at.peer.ip} is a node's is not known")

    def wide(self, direction: str, action: Action) -> Sequence[Network]:  # noqa: ARG002 - a Source
        return ()


class _Domains:
    """Names outside of the cluster."""

    hints: Mapping[str, frozenset[str]] = {}

    def matches(self, at: Connection) -> Truth:
        return isinstance(at.peer, Address) and unknown("which addresses domain names have is not known")

    def wide(self, direction: str, action: Action) -> Sequence[Network]:  # noqa: ARG002 - a Source
        return ()
