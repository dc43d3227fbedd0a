"""Calico's policies: NetworkPolicy and GlobalNetworkPolicy, in tiers.

In each tier the policies that select a pod are asked in order; the first rule that matches allows, denies, or passes on to the next
tier. Where a tier has a policy for the pod and no rule matches, it does what its default says (deny). Behind the last tier everything is
allowed. https://docs.tigera.io/calico/latest/reference/resources/networkpolicy
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from scanner.derive.kubernetes.policies.labels import Hints
from scanner.derive.kubernetes.policies.model import (
    DIRECTIONS,
    EVERYWHERE,
    INGRESS,
    Action,
    Address,
    Block,
    Connection,
    Either,
    ForPods,
    Network,
    Not,
    Pod,
    Policy,
    Ports,
    Rule,
    Test,
    Unsure,
    networks,
    unknown,
)
from scanner.derive.kubernetes.policies.selectors import Expression, Look, parse
from scanner.derive.three import Truth, all_of, any_of
from scanner.model import Gap, Reason, frozen

DEFAULT_TIER = "default"
ACTIONS = {"Allow": Action.ALLOW, "Deny": Action.DENY, "Pass": Action.PASS}
PROTOCOLS = {"1": "ICMP", "6": "TCP", "17": "UDP", "58": "ICMPV6", "132": "SCTP", "136": "UDPLITE"}
NAMESPACE_KEY, ACCOUNT_KEY, ORCHESTRATOR_KEY = (f"projectcalico.org/{k}" for k in ("namespace", "serviceaccount", "orchestrator"))
NAME_KEY = "projectcalico.org/name"


@frozen
class Set:
    """A NetworkSet, or a GlobalNetworkSet: addresses that selectors pick by labels."""

    networks: tuple[Network, ...]
    look: Look


Sets = Callable[[], "Sequence[Set] | Gap"]


def translate(name: str, spec: Mapping[str, Any], namespace: str, sets: Sets) -> Policy:
    """One policy; `namespace` is empty for a global one."""
    tier = str(spec.get("tier") or DEFAULT_TIER)
    name = name.removeprefix(f"{tier}.")
    order = spec.get("order")
    place = float(order) if isinstance(order, int | float) else math.inf
    special = [key for key in ("doNotTrack", "preDNAT", "applyOnForward") if spec.get(key)]
    types = _types(spec)
    try:
        subject = _subject(spec, namespace)
        rules = {
            d: tuple(_rule(r, d, namespace, sets) for r in spec.get(d.lower()) or [] if r.get("action") != "Log") for d in types
        }
    except ValueError as error:
        gap = Gap(Reason.UNPARSABLE, "", "Correct the policy.", f"{name}: {error}"[:200])
        return Policy(name, lambda _: gap, tier=tier, order=place, gap=gap)
    if special:
        # NOTE: these speak of what passes the node, of host endpoints first of all
        odd = unknown(f"{name} has {', '.join(special)}, which is not evaluated")
        return Policy(name, lambda pod: all_of((subject(pod), odd)), tier=tier, order=place, gap=odd)
    needs = _needs(parse(str(spec.get("selector") or "")))
    own = any(_asks_subject(test) for found in rules.values() for rule in found for test in rule.also)
    return Policy(name, subject, rules, frozenset(types), tier, place, needs=needs, asks_subject=own)


def _asks_subject(test: Test) -> bool:
    return isinstance(test, _Own) or (isinstance(test, Not) and isinstance(test.test, _Own))


def _needs(own: Expression) -> tuple[str, tuple[str, ...]] | None:
    parts = own.parts if own.kind == "and" else (own,)
    plain = (p for p in parts if p.kind in ("==", "in") and not p.key.startswith(("pcns.", "pcsa.", "projectcalico.org/")))
    return next(((p.key, p.values) for p in plain), None)


def _types(spec: Mapping[str, Any]) -> list[str]:
    """https://docs.tigera.io/calico/latest/reference/resources/networkpolicy#spec : by the rules that there are, else ingress."""
    written = spec.get("types") or []
    if written:
        return [d for d in DIRECTIONS if d in written]
    if not spec.get("egress"):
        return [INGRESS]
    return [*DIRECTIONS] if spec.get("ingress") else ["Egress"]


def _subject(spec: Mapping[str, Any], namespace: str) -> Callable[[Pod], Truth]:
    own, spaces, accounts = (parse(str(spec.get(k) or "")) for k in ("selector", "namespaceSelector", "serviceAccountSelector"))

    def selects(pod: Pod) -> Truth:
        if namespace and pod.namespace != namespace:
            return False
        if pod.host is not False:
            return False  # NOTE: workload endpoints are pods with a network of their own
        return all_of((own.holds(pod_look(pod)), spaces.holds(_space_look(pod)), accounts.holds(_account_look(pod))))

    return selects


def pod_look(pod: Pod) -> Look:
    """Labels as Calico sees them on a pod, its namespace's and account's among them.

    https://docs.tigera.io/calico/latest/network-policy/get-started/calico-policy/calico-labels
    """

    def look(key: str) -> str | Gap | None:
        if key == NAMESPACE_KEY:
            return pod.namespace
        if key == ACCOUNT_KEY:
            return pod.account
        if key == ORCHESTRATOR_KEY:
            return "k8s"
        if key.startswith("pcns."):
            return _space_look(pod)(key.removeprefix("pcns."))
        if key.startswith("pcsa."):
            return _account_look(pod)(key.removeprefix("pcsa."))
        return pod.labels.get(key)

    return look


def _space_look(pod: Pod) -> Look:
    return lambda key: pod.namespace if key == NAME_KEY else pod.namespace_labels.get(key)


def _account_look(pod: Pod) -> Look:
    return lambda key: pod.account if key == NAME_KEY else pod.account_labels.get(key)


@frozen
class _Selected:
    """Endpoints that an entity's selectors pick: pods, and addresses by the sets that hold them."""

    own: Expression
    spaces: Expression | None
    namespace: str
    """Of the policy, where it narrows the selectors to it; else empty."""
    names: tuple[str, ...]
    accounts: Expression | None
    sets: Sets = field(compare=False)

    def of(self, peer: Pod | Address) -> Truth:
        if isinstance(peer, Pod):
            return all_of(self._pod(peer))
        found = self.sets()
        if isinstance(found, Gap):
            return found
        return any_of(all_of(self._set(s)) for s in found if any(peer.ip in n for n in s.networks))

    def _pod(self, pod: Pod) -> Iterator[Truth]:
        yield pod.host is False or unknown("a pod on the host's network is a host endpoint, or none")
        if self.namespace:
            yield pod.namespace == self.namespace
        if self.spaces is not None:
            yield False if _global(self.spaces) else self.spaces.holds(_space_look(pod))
        if self.names:
            yield pod.account if isinstance(pod.account, Gap) else pod.account in self.names
        if self.accounts is not None:
            yield self.accounts.holds(_account_look(pod))
        yield self.own.holds(pod_look(pod))

    def _set(self, found: Set) -> Iterator[Truth]:
        inside = found.look(NAMESPACE_KEY)
        if self.namespace:
            yield inside == self.namespace
        if self.spaces is not None:
            yield (
                inside is None if _global(self.spaces) else inside is not None and self.spaces.holds(_in_space(found, str(inside)))
            )
        yield not self.names and self.accounts is None
        yield self.own.holds(found.look)


def _in_space(found: Set, namespace: str) -> Look:
    return lambda key: namespace if key == NAME_KEY else found.look(f"pcns.{key}")


def _global(spaces: Expression) -> bool:
    return spaces.kind == "global"


@frozen
class _Entity:
    """One side of a rule, as the other end of the connection."""

    tests: tuple[Test, ...]
    block: Block | None
    """What it stands for; None where selectors narrow it."""
    selects: bool
    """It is about pods (and sets), not about addresses."""
    hints: Hints

    def matches(self, at: Connection) -> Truth:
        return all_of(t.matches(at) for t in self.tests)

    def wide(self, direction: str, action: Action) -> Sequence[Network]:
        if self.block is None or (self.selects and action is not Action.ALLOW and direction != INGRESS):
            return ()
        return self.block.wide(direction, action)


@frozen
class _Picks:
    """A selector, asked of the peer."""

    selected: _Selected

    def matches(self, at: Connection) -> Truth:
        return self.selected.of(at.peer)


@frozen
class _Own:
    """A selector, asked of the subject itself."""

    selected: _Selected

    def matches(self, at: Connection) -> Truth:
        return self.selected.of(at.subject)


@frozen
class _Protocol:
    name: str

    def matches(self, at: Connection) -> Truth:
        return at.protocol == self.name


@frozen
class _Version:
    version: int

    def matches(self, at: Connection) -> Truth:
        return at.peer.ip.version == self.version if isinstance(at.peer, Address) else unknown("which IP version pods talk in")


def _rule(raw: Mapping[str, Any], direction: str, namespace: str, sets: Sets) -> Rule:
    source, target = raw.get("source") or {}, raw.get("destination") or {}
    theirs, ours = (source, target) if direction == INGRESS else (target, source)
    protocol = PROTOCOLS.get(str(raw.get("protocol")), str(raw.get("protocol") or "").upper()) or None
    also: list[Test] = []
    if raw.get("notProtocol") is not None:
        also.append(Not(_Protocol(PROTOCOLS.get(str(raw["notProtocol"]), str(raw["notProtocol"]).upper()))))
    if raw.get("ipVersion"):
        also.append(_Version(int(raw["ipVersion"])))
    if raw.get("icmp") or raw.get("notICMP"):
        also.append(Not(Either((_Protocol("TCP"), _Protocol("UDP"), _Protocol("SCTP")))))
    if target.get("notPorts"):
        also.append(Not(Either(_ports(target["notPorts"], protocol))))
    if source.get("ports") or source.get("notPorts"):
        also.append(Unsure(unknown("the port that a connection comes from is anyone's choice")))
    also += _own(ours, namespace, sets)
    if raw.get("unknown"):
        also.append(Unsure(unknown(f"{', '.join(raw['unknown'])} of a Calico rule is not read")))
    peer = _entity(theirs, namespace, sets)
    ports: tuple[Ports, ...] | None = _ports(target["ports"], protocol) if target.get("ports") else None
    if ports is None and protocol is not None:
        ports = (Ports(protocol),)
    action = ACTIONS.get(str(raw.get("action")))
    if action is None:
        raise ValueError(f"the action {raw.get('action')!r} is not known")
    return Rule(action, None if not peer.tests else (peer,), ports, tuple(also))


def _ports(entries: Sequence[Any], protocol: str | None) -> tuple[Ports, ...]:
    """Numbers, ranges `first:last`, and names."""
    found = []
    for entry in entries:
        first, colon, last = str(entry).partition(":")
        if first.isdigit() and (not colon or last.isdigit()):
            found.append(Ports(protocol, int(first), int(last) if colon else int(first)))
        elif colon:
            raise ValueError(f"{entry!r} is no range of ports")
        else:
            found.append(Ports(protocol, name=first))
    return tuple(found)


def _selected(raw: Mapping[str, Any], namespace: str, sets: Sets) -> _Selected | None:
    """The selectors of an entity together: as soon as there is one, a namespaced policy means its own namespace unless it says more.

    https://github.com/projectcalico/calico/blob/master/libcalico-go/lib/backend/syncersv1/updateprocessors/rules.go
    """
    accounts = raw.get("serviceAccounts") or {}
    asked = [raw.get("selector"), raw.get("namespaceSelector"), *accounts.values(), namespace and raw.get("notSelector")]
    if not any(asked):
        return None
    spaces = str(raw.get("namespaceSelector") or "")
    return _Selected(
        parse(str(raw.get("selector") or "")),
        parse(spaces) if spaces else None,
        "" if spaces else namespace,
        tuple(str(n) for n in accounts.get("names") or []),
        parse(str(accounts["selector"])) if accounts.get("selector") else None,
        sets,
    )


def _entity(raw: Mapping[str, Any], namespace: str, sets: Sets) -> _Entity:
    tests: list[Test] = []
    nets, spared = networks(raw.get("nets") or []), networks(raw.get("notNets") or [])
    selected = _selected(raw, namespace, sets)
    if raw.get("nets"):
        tests.append(Block(nets, pods=ForPods.ALWAYS))
    if raw.get("notNets"):
        tests.append(Not(Block(spared, pods=ForPods.ALWAYS)))
    if selected is not None:
        tests.append(_Picks(selected))
    if raw.get("notSelector"):
        tests.append(Not(_Picks(_Selected(parse(str(raw["notSelector"])), None, "", (), None, sets))))
    if raw.get("services"):
        tests.append(Unsure(unknown("which pods a Service has is not followed from a policy")))
    block = Block(nets or EVERYWHERE, spared) if _broad(raw, selected) else None
    return _Entity(tuple(tests), block, selected is not None, _hints(selected, raw))


def _broad(raw: Mapping[str, Any], selected: _Selected | None) -> bool:
    """Whether an entity's selectors leave its addresses as they are, or pick the pods of every namespace."""
    if raw.get("notSelector") or raw.get("services"):
        return False
    if selected is None:
        return True
    everywhere = not selected.namespace and (selected.spaces is None or selected.spaces.kind == "all")
    return everywhere and selected.own.kind == "all" and not selected.names and selected.accounts is None


def _hints(selected: _Selected | None, raw: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    expressions = [selected.own] if selected is not None else []
    if raw.get("notSelector"):
        expressions.append(parse(str(raw["notSelector"])))
    for key, value in (m for e in expressions for m in e.mentions()):
        if not key.startswith(("pcns.", "pcsa.", "projectcalico.org/")):
            found[key] = found.get(key, frozenset()) | ({value} if value else frozenset())
    return found


def _own(raw: Mapping[str, Any], namespace: str, sets: Sets) -> list[Test]:
    """What a rule asks of the subject itself, besides ports."""
    tests: list[Test] = []
    if raw.get("nets") or raw.get("notNets"):
        wide = any(n.prefixlen == 0 for n in networks(raw.get("nets") or [])) and not raw.get("notNets")
        tests += [] if wide else [Unsure(unknown("the pod's own address is not known"))]
    selected = _selected(raw, namespace, sets)
    if selected is not None:
        tests.append(_Own(selected))
    if raw.get("notSelector"):
        tests.append(Not(_Own(_Selected(parse(str(raw["notSelector"])), None, "", (), None, sets))))
    if raw.get("services"):
        tests.append(Unsure(unknown("which pods a Service has is not followed from a policy")))
    return tests
