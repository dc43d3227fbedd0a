"""Cilium's policies: CiliumNetworkPolicy and CiliumClusterwideNetworkPolicy.

They add to each other and to NetworkPolicies; a deny rule wins over every allow rule. A policy closes a direction in which it has rules
unless it says otherwise. Layer 7 rules are taken as they are at layer 4: the connection opens.
https://docs.cilium.io/en/stable/security/policy/
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from scanner.derive.kubernetes.policies.labels import hints, meets, narrow, needed, requirements
from scanner.derive.kubernetes.policies.model import (
    DIRECTIONS,
    EVERYWHERE,
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
)
from scanner.derive.three import Truth, all_of
from scanner.model import Gap, Reason, frozen

NAMESPACE_KEY = "io.kubernetes.pod.namespace"
NAMESPACE_LABELS = "io.cilium.k8s.namespace.labels."
ACCOUNT_KEY = "io.cilium.k8s.policy.serviceaccount"
CLUSTER_KEY = "io.cilium.k8s.policy.cluster"
LEFT_OUT = re.compile(r"(?:.*\.)?kubernetes\.io/|pod-template-|controller-revision-hash|statefulset\.kubernetes")
"""Labels that identities leave out by default: https://docs.cilium.io/en/stable/operations/performance/scalability/identity-relevant-labels/"""
KEPT_IN = "app.kubernetes.io/"
SOURCES = re.compile(r"^(?:k8s|any):")
L3 = ("Endpoints", "Entities", "CIDR", "CIDRSet", "Nodes", "Groups", "FQDNs", "Services")
Groups = Callable[[str], "tuple[Network, ...] | Gap"]
"""The blocks of a CiliumCIDRGroup."""


EMPTY = Gap(
    Reason.NOT_OFFERED,
    "",
    "Write `fromEntities: []` for nobody and `fromEntities: [all]` for everyone.",
    "a Cilium rule without peers and ports stands for nobody or for everybody, depending on the version",
)
"""The documentation closes endpoints with it, newer agents let everyone in:
https://github.com/UKGovernmentBEIS/inspect_k8s_sandbox/pull/228"""


def unknown(what: str) -> Gap:
    """Something that the policies do not settle."""
    return Gap(Reason.NOT_OFFERED, "", "Check that rule by hand.", what)


def translate(name: str, spec: Mapping[str, Any], namespace: str, groups: Groups) -> Policy:
    """One `spec` of a policy; `namespace` is empty for a cluster-wide one."""
    if spec.get("node"):
        return Policy(name, lambda _: False)  # NOTE: it selects nodes
    selector = spec.get("selector")
    if selector is None:
        gap = unknown(f"{name} has no endpointSelector")
        return Policy(name, lambda _: gap, gap=gap)
    closed = spec.get("enableDefaultDeny") or {}
    rules: dict[str, tuple[Rule, ...]] = {}
    isolates = set()
    for direction in DIRECTIONS:
        key = direction.lower()
        allow, deny = spec.get(key) or [], spec.get(f"{key}Deny") or []
        found = [_rule(r, direction, Action.DENY, namespace, groups) for r in deny]
        found += [_rule(r, direction, Action.ALLOW, namespace, groups) for r in allow]
        rules[direction] = tuple(r for r in found if r is not None)
        # NOTE: an empty list is as none: "if omitted or empty, this rule does not apply at ingress"
        # https://github.com/cilium/cilium/blob/main/pkg/policy/api/rule.go ; and without any rule `enableDefaultDeny` does nothing
        # https://github.com/cilium/cilium/issues/35558
        if (allow or deny) and closed.get(key) is not False:
            isolates.add(direction)
    chosen = _Endpoints(selector, namespace)
    plain = ((SOURCES.sub("", key), operator, values) for key, operator, values in requirements(selector))
    needs = needed(r for r in plain if not r[0].startswith(("io.", "reserved")) and not _left_out(r[0]))
    return Policy(name, chosen.picks, rules, frozenset(isolates), needs=needs)


class _Endpoints:
    """A selector of endpoints in a policy of a namespace (empty for a cluster-wide one)."""

    def __init__(self, selector: Mapping[str, Any], namespace: str) -> None:
        asked = requirements(selector)
        self.reserved = any(key.startswith("reserved") for key, _, _ in asked)
        self.asked = [(SOURCES.sub("", key, count=1), operator, values) for key, operator, values in asked]
        named = any(key == NAMESPACE_KEY or key.startswith(NAMESPACE_LABELS) for key, _, _ in self.asked)
        self.namespace = "" if named else namespace

    def picks(self, pod: Pod) -> Truth:
        """Whether it selects a pod, which no reserved label does."""
        if self.reserved or (self.namespace and pod.namespace != self.namespace):
            return False
        return all_of(meets(_look(key, pod), operator, values) for key, operator, values in self.asked)


def _look(key: str, pod: Pod) -> str | Gap | None:
    if key == NAMESPACE_KEY:
        return pod.namespace
    if key.startswith(NAMESPACE_LABELS):
        return pod.namespace_labels.get(key.removeprefix(NAMESPACE_LABELS))
    if key == ACCOUNT_KEY:
        return pod.account
    if key == CLUSTER_KEY:
        return unknown("what Cilium calls this cluster is not known")
    if _left_out(key):
        return unknown(f"Cilium may leave the label {key} out of identities")
    return pod.labels.get(key)


def _left_out(key: str) -> bool:
    return LEFT_OUT.match(key) is not None and not key.startswith(KEPT_IN)


def _rule(raw: Mapping[str, Any], direction: str, action: Action, namespace: str, groups: Groups) -> Rule | None:
    """One rule; None for one that matches nothing that is asked about."""
    side = "from" if direction == INGRESS else "to"
    given = {name: raw[f"{side}{name}"] for name in L3 if raw.get(f"{side}{name}") is not None}
    if any(not value and name != "FQDNs" for name, value in given.items()):
        return None  # NOTE: an empty list of peers picks nobody
    peers = [p for name, value in given.items() for p in _peers(name, value, namespace, groups)]
    ports, icmp = raw.get("toPorts") or [], raw.get("icmps")
    if icmp and not ports:
        return None
    if not given and not ports:
        return Rule(action, also=(Unsure(EMPTY),))
    odd = [*(raw.get("unknown") or []), *([f"{side}Requires"] if raw.get(f"{side}Requires") else [])]
    also = (Unsure(unknown(f"{', '.join(odd)} of a Cilium rule is not read")),) if odd else ()
    return Rule(action, tuple(peers) if given else None, _ports(ports), also)


def _ports(entries: Sequence[Mapping[str, Any]]) -> tuple[Ports, ...] | None:
    """https://docs.cilium.io/en/stable/security/policy/layer4/ : port 0 is every port, no protocol is every one."""
    if not entries or any(not e.get("ports") for e in entries):
        return None
    found = []
    for raw in (p for e in entries for p in e["ports"]):
        protocol = str(raw.get("protocol") or "ANY").upper()
        written = str(raw.get("port") or "0")
        kind = None if protocol == "ANY" else protocol
        if not written.isdigit():
            found.append(Ports(kind, name=written))
        elif int(written) == 0:
            found.append(Ports(kind))
        else:
            found.append(Ports(kind, int(written), int(raw.get("endPort") or written)))
    return tuple(found)


def _peers(name: str, value: Any, namespace: str, groups: Groups) -> list[Source]:
    if name == "Endpoints":
        return [_endpoints(selector or {}, namespace) for selector in value]
    if name == "Entities":
        return [_Entity(str(e)) for e in value]
    if name == "CIDR":
        return [Block(networks(value), pods=ForPods.NEVER)]
    if name == "CIDRSet":
        return [_block(entry, groups) for entry in value]
    if name == "FQDNs":
        return [_Names(tuple(str(v.get("matchPattern") or v.get("matchName") or "") for v in value))]
    if name == "Nodes":
        return [_Entity("remote-node")]
    return [Unsure(unknown(f"to{name} is resolved by Cilium alone"))]


def _endpoints(selector: Mapping[str, Any], namespace: str) -> Source:
    asked = requirements(selector)
    reserved = [key.partition(".")[2] or key.partition(":")[2] for key, _, _ in asked if key.startswith("reserved")]
    if reserved:
        return _Entity(reserved[0]) if len(asked) == 1 else Unsure(unknown("a selector mixes reserved labels with others"))
    chosen = _Endpoints(selector, namespace)
    plain = {SOURCES.sub("", k, count=1): v for k, v in hints(selector).items()}
    own = {k: v for k, v in plain.items() if not k.startswith("io.")}
    everyone = not narrow(selector) and not namespace
    if set(plain) == {NAMESPACE_KEY}:
        everyone = {op for _, op, _ in asked} == {"Exists"}
    return Pods(lambda _, pod: chosen.picks(pod), everyone, own)


def _block(entry: Mapping[str, Any], groups: Groups) -> Source:
    spared = networks(entry.get("except") or [])
    if entry.get("cidrGroupRef"):
        found = groups(str(entry["cidrGroupRef"]))
        return Unsure(found) if isinstance(found, Gap) else Block(found, spared, ForPods.NEVER)
    if not entry.get("cidr"):
        return Unsure(unknown("a cidrGroupSelector is not read"))
    return Block(networks([entry["cidr"]]), spared, ForPods.NEVER)


@frozen
class _Entity:
    """https://docs.cilium.io/en/stable/security/policy/layer3/#entities-based."""

    name: str
    hints: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def matches(self, at: Connection) -> Truth:
        if self.name == "all":
            return True
        if self.name == "none":
            return False
        if isinstance(at.peer, Pod):
            return self.name == "cluster" if at.peer.host is False else unknown(f"a pod on the host's network may be {self.name}")
        ip = at.peer.ip
        if self.name in ("world", "world-ipv4", "world-ipv6"):
            # NOTE: private addresses may be those of nodes, which are not the world
            inside = not at.peer.outside and not ip.is_link_local and ip.is_private
            if self.name in ("world-ipv4", "world-ipv6") and not self.name.endswith(str(ip.version)):
                return False
            return unknown(f"{ip} may be a node's") if inside else True
        return self._node(at.peer)

    def _node(self, peer: Address) -> Truth:
        if peer.outside or peer.ip.is_link_local or self.name in ("health", "init", "unmanaged", "ingress"):
            return False
        return unknown(f"whether {peer.ip} is {self.name} is not known")

    def wide(self, direction: str, action: Action) -> Sequence[Network]:
        if self.name in ("all", "world"):
            return EVERYWHERE
        if self.name == "cluster":
            return EVERYWHERE if action is Action.ALLOW or direction == INGRESS else ()
        return {"world-ipv4": EVERYWHERE[:1], "world-ipv6": EVERYWHERE[1:]}.get(self.name, ())


@frozen
class _Names:
    """DNS names: which addresses they have is not in the cluster. They never stand for pods."""

    patterns: tuple[str, ...]
    hints: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def every(self) -> bool:
        return any(set(p) == {"*"} for p in self.patterns)

    def matches(self, at: Connection) -> Truth:
        if isinstance(at.peer, Pod):
            return False
        return self.every or unknown(f"which addresses {', '.join(self.patterns)} have is not known")

    def wide(self, direction: str, action: Action) -> Sequence[Network]:  # noqa: ARG002 - a Source
        return EVERYWHERE if self.every and action is Action.ALLOW else ()
