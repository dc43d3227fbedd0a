"""The policies of a snapshot, and what those of all engines together say of one pod.

What was not seen stands among the rules as one that may match: it counts only where it decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.kubernetes.policies import admin, calico, cilium, core
from scanner.derive.kubernetes.policies.labels import Labels, may_have
from scanner.derive.kubernetes.policies.model import (
    Action,
    Connection,
    Network,
    Pod,
    Policy,
    Rule,
    networks,
)
from scanner.derive.kubernetes.types import NAMESPACE, NOT_HERE, POLICY, from_manifests, namespace_of, object_id
from scanner.derive.three import Truth, any_of
from scanner.derive.world import World
from scanner.model import Gap, Reason, Resource

CILIUM = ("cilium.io/v2/CiliumNetworkPolicy", "cilium.io/v2/CiliumClusterwideNetworkPolicy")
CALICO = tuple(
    f"{g}/{k}" for g in ("crd.projectcalico.org/v1", "projectcalico.org/v3") for k in ("NetworkPolicy", "GlobalNetworkPolicy")
)
ADMIN = (
    "policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy",
    "policy.networking.k8s.io/v1alpha1/BaselineAdminNetworkPolicy",
    "policy.networking.k8s.io/v1alpha2/ClusterNetworkPolicy",
)
CIDR_GROUP = "cilium.io/v2/CiliumCIDRGroup"
TIERS = tuple(f"{g}/Tier" for g in ("crd.projectcalico.org/v1", "projectcalico.org/v3"))
SETS = tuple(f"{g}/{k}" for g in ("crd.projectcalico.org/v1", "projectcalico.org/v3") for k in ("NetworkSet", "GlobalNetworkSet"))
FOREIGN = (*CILIUM, *CALICO, *ADMIN)
"""Policies of other engines than Kubernetes' own."""
READS: Mapping[str, tuple[str, ...]] = {
    POLICY: ("namespace", "selector", "policy_types", "ingress", "egress"),
    **dict.fromkeys(FOREIGN, ("namespace", "specs")),
    **dict.fromkeys((CIDR_GROUP, *SETS), ("namespace", "networks")),
    **dict.fromkeys(TIERS, ("order", "default_action")),
    NAMESPACE: ("system",),
}
PASS_TIERS = ("adminnetworkpolicy", "kube-admin", "kube-baseline", "baselineadminnetworkpolicy")
"""Tiers of Calico whose default is to pass."""
ADMIN_ORDER, DEFAULT_ORDER, BASELINE_ORDER = 1_000.0, 1_000_000.0, 10_000_000.0
"""https://github.com/projectcalico/calico/blob/master/api/pkg/apis/projectcalico/v3/tier.go"""


@dataclass(slots=True)
class Shelf:
    """Policies of one kind, found by a label that they need: most speak of few pods."""

    every: list[tuple[int, Policy]] = field(default_factory=list)
    by_label: dict[str, dict[str, list[tuple[int, Policy]]]] = field(default_factory=dict)
    count: int = 0

    def add(self, policy: Policy) -> None:
        """Put one on the shelf."""
        self.count += 1
        if policy.needs is None:
            self.every.append((self.count, policy))
            return
        key, values = policy.needs
        for value in dict.fromkeys(values):
            self.by_label.setdefault(key, {}).setdefault(value, []).append((self.count, policy))

    def selecting(self, pod: Pod) -> list[tuple[Policy, Truth]]:
        """Those that may select a pod, in the order in which they were added, each with whether it does."""
        found = dict(self.every)
        for key, values in self.by_label.items():
            if key in pod.labels.known:
                found.update(values.get(pod.labels.known[key], ()))
            elif may_have(pod.labels, key):
                found.update(entry for entries in values.values() for entry in entries)
        chosen = ((found[n], found[n].subject(pod)) for n in sorted(found))
        return [(policy, truth) for policy, truth in chosen if truth is not False]


@dataclass(slots=True)
class Index:
    """The policies of one scope."""

    core: dict[str, Shelf] = field(default_factory=dict)
    cilium: dict[str, Shelf] = field(default_factory=dict)
    calico: dict[str, Shelf] = field(default_factory=dict)
    admin: Shelf = field(default_factory=Shelf)
    tiers: dict[str, Resource] = field(default_factory=dict)
    sets: list[Resource] = field(default_factory=list)
    groups: dict[str, Resource] = field(default_factory=dict)

    def near(self, shelves: Mapping[str, Shelf], pod: Pod) -> list[tuple[Policy, Truth]]:
        """Those of a pod's namespace and the cluster-wide ones that may select it."""
        return [c for space in (pod.namespace, "") if space in shelves for c in shelves[space].selecting(pod)]


def index(world: World, scope: str) -> Index:
    """The policies of a scope, read once a world."""
    return world.memo("kubernetes.policies", lambda: _read(world)).setdefault(scope, Index())


def _read(world: World) -> dict[str, Index]:
    found: dict[str, Index] = {}
    for resource in world.all("configuration"):
        of = found.setdefault(resource.scope, Index())
        if resource.native_type in TIERS:
            of.tiers[resource.name] = resource
        elif resource.native_type in SETS:
            of.sets.append(resource)
        elif resource.native_type == CIDR_GROUP:
            of.groups[resource.name] = resource
    for resource in world.all("network_policy"):
        _place(found.setdefault(resource.scope, Index()), resource, world)
    return found


def _place(of: Index, resource: Resource, world: World) -> None:
    namespace = namespace_of(resource)
    if resource.native_type == POLICY:
        of.core.setdefault(namespace, Shelf()).add(core.translate(resource, namespace, world))
        return
    if resource.native_type not in FOREIGN:
        return
    specs = world.fact(resource, "specs")
    kind = resource.native_type.rpartition("/")[2]
    if isinstance(specs, Gap) or not isinstance(specs, list):
        gap = specs if isinstance(specs, Gap) else Gap(Reason.UNPARSABLE, "", "Correct the policy.", resource.name)
        unread = Policy(resource.name, lambda _: gap, gap=gap, tier=admin.TIERS.get(kind, ""))
        specs = []
    else:
        unread = None
    for spec in specs:
        if resource.native_type in CILIUM:
            made = cilium.translate(resource.name, spec, namespace, _groups(of, resource, world))
            of.cilium.setdefault(namespace, Shelf()).add(made)
        elif resource.native_type in CALICO:
            made = calico.translate(resource.name, spec, namespace, _sets(of, resource, world))
            of.calico.setdefault(namespace, Shelf()).add(made)
        else:
            of.admin.add(admin.translate(kind, resource.name, spec))
    if unread is not None:
        home = of.cilium if resource.native_type in CILIUM else of.calico if resource.native_type in CALICO else None
        if home is None:
            of.admin.add(unread)
        else:
            home.setdefault(namespace, Shelf()).add(unread)


def _groups(of: Index, resource: Resource, world: World) -> cilium.Groups:
    def look(name: str) -> tuple[Network, ...] | Gap:
        found = of.groups.get(name)
        if found is None:
            # NOTE: a group that does not exist picks nobody: https://github.com/cilium/cilium/pull/29608
            return unlisted(world, resource, (CIDR_GROUP,), f"the CiliumCIDRGroup {name}") or ()
        blocks = world.fact(found, "networks")
        return blocks if isinstance(blocks, Gap) else networks(blocks if isinstance(blocks, list) else [])

    return look


def _sets(of: Index, resource: Resource, world: World) -> calico.Sets:
    made: list[Sequence[calico.Set] | Gap] = []

    def look() -> Sequence[calico.Set] | Gap:
        if not made:
            made.append(unlisted(world, resource, SETS, "a network set of that name") or [_set(r, world) for r in of.sets])
        return made[0]

    return look


def _set(resource: Resource, world: World) -> calico.Set:
    blocks = world.fact(resource, "networks")
    inside = namespace_of(resource) or None
    space = _labels(world, resource, inside) if inside else Labels()
    known = dict(resource.tags)

    def look(key: str) -> str | Gap | None:
        if key == calico.NAMESPACE_KEY:
            return inside
        return space.get(key.removeprefix("pcns.")) if key.startswith("pcns.") else known.get(key)

    return calico.Set(networks(blocks if isinstance(blocks, list) else []), look)


def unlisted(world: World, resource: Resource, types: Iterable[str], what: str) -> Gap | None:
    """Why the absence of `what` proves nothing."""
    if from_manifests(resource):
        return Gap(Reason.NOT_OFFERED, "", NOT_HERE, f"{what} is not in these manifests")
    gaps = (world.listing(native, resource.scope) for native in types)
    # NOTE: an engine that is not installed has none; one that is there and could not be listed may have
    return next((g for g in gaps if g is not None and g.reason not in (Reason.SERVICE_OFF, Reason.NOT_OFFERED)), None)


def _labels(world: World, resource: Resource, namespace: str) -> Labels:
    """Labels of a namespace. https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-metadata-name."""
    name = {"kubernetes.io/metadata.name": namespace}
    found = world.get("namespace", object_id(resource.scope, "Namespace", "", namespace))
    if found is not None:
        return Labels({**found.tags, **name})
    if from_manifests(resource):
        return Labels(name, gap=Gap(Reason.NOT_OFFERED, "", NOT_HERE, f"the namespace {namespace} is not in these manifests"))
    return Labels(name, gap=world.listing(NAMESPACE, resource.scope, namespace))


namespace_labels = _labels

# ---- what policies together say


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule as it applies to one pod."""

    rule: Rule
    selected: Truth
    policy: str

    def matches(self, at: Connection) -> Truth:
        """Whether it speaks of a connection."""
        found = self.rule.matches(at) if self.selected is not False else False
        return found if self.selected is True or found is False else self.selected


@dataclass(frozen=True, slots=True)
class Stage:
    """Policies that are asked together, in one direction."""

    groups: tuple[tuple[tuple[Entry, ...], ...], ...]
    """In order; the lists of one group have the same rank, so that none comes first for sure."""
    closes: tuple[Truth, ...] = ()
    """Whether each of its policies denies what no rule speaks of; else it goes on to the next stage."""

    @property
    def closed(self) -> Truth:
        """Whether some policy does."""
        return any_of(self.closes)


Stack = tuple[Stage, ...]
Pick = tuple[Policy, Truth]
RANK = Gap(Reason.NOT_OFFERED, "", "Give the policies priorities of their own.", "policies of one priority disagree")


def decide(stack: Stack, at: Connection) -> Truth:
    """Whether a connection is admitted; behind the last stage everything is."""
    if not stack:
        return True
    stage, rest = stack[0], stack[1:]
    outcomes: list[Truth] = []
    doubt: Gap | None = None
    for group in stage.groups:
        settled = False
        for entries in group:
            for entry in entries:
                matched = entry.matches(at)
                if matched is False:
                    continue
                outcomes.append(decide(rest, at) if entry.rule.action is Action.PASS else entry.rule.action is Action.ALLOW)
                if matched is True:
                    settled = True
                    break
                doubt = doubt or matched
        if settled:
            return _settle(outcomes, doubt)
    closed = stage.closed
    if closed is not False:
        outcomes.append(False)
        doubt = doubt or (closed if isinstance(closed, Gap) else None)
    if closed is not True:
        outcomes.append(decide(rest, at))
    return _settle(outcomes, doubt)


def _settle(outcomes: Sequence[Truth], doubt: Gap | None) -> Truth:
    if all(o is True for o in outcomes):
        return True
    if all(o is False for o in outcomes):
        return False
    return doubt or next((o for o in outcomes if isinstance(o, Gap)), RANK)


@dataclass(frozen=True, slots=True)
class Stacks:
    """What applies to a pod in one direction: a stack for each engine that may be at work."""

    engines: tuple[Stack, ...]

    def admits(self, at: Connection) -> Truth:
        """Engines that disagree leave it open."""
        found = [decide(stack, at) for stack in self.engines]
        return found[0] if all(f is found[0] for f in found) else _settle(found, None)

    def entries(self) -> Iterable[Entry]:
        """All rules that may apply."""
        for stack in self.engines:
            for stage in stack:
                for group in stage.groups:
                    for entries in group:
                        yield from entries

    def closes(self) -> Iterable[Truth]:
        """Of each policy, whether it isolates the pod."""
        return (truth for stack in self.engines for stage in stack for truth in stage.closes)


@dataclass(frozen=True, slots=True)
class Unseen:
    """What may be there besides."""

    missing: Mapping[str, Gap] = field(default_factory=dict)
    """Engines (`core`, `cilium`, `calico`, `admin`) that may have more policies."""
    before: Gap | None = None
    """In files: why a policy that comes first may allow what these deny."""
    tier: Callable[[str], Gap | None] = lambda _: None
    """Why a tier that was not seen may be there."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The policies that may select a pod, each with whether it does."""

    core: Sequence[Pick]
    cilium: Sequence[Pick]
    calico: Sequence[Pick]
    admin: Sequence[Pick]


def choose(pod: Pod, of: Index) -> Chosen:
    """The policies of a pod."""
    own = of.core[pod.namespace].selecting(pod) if pod.namespace in of.core else []
    ruled = sorted(of.admin.selecting(pod), key=lambda c: c[0].order)
    return Chosen(own, of.near(of.cilium, pod), of.near(of.calico, pod), ruled)


def build(chosen: Sequence[Pick], direction: str, of: Index, unseen: Unseen) -> Stacks:
    """The stacks of a pod."""
    missing = unseen.missing
    own, endpoints, tiered, ruled = chosen.core, chosen.cilium, chosen.calico, chosen.admin
    above = _ranked([r for r in ruled if r[0].tier == admin.ADMIN], direction, missing.get("admin"))
    below = _ranked([r for r in ruled if r[0].tier == admin.BASELINE], direction, None)
    engines: list[Stack] = []
    if tiered or "calico" in missing:
        engines.append(_tiers([*tiered, *own], direction, (above, below), of, unseen))
    if endpoints or "cilium" in missing:
        engines.append((above, _additive([*endpoints, *own], direction, missing), below))
    found = engines or [(above, _additive(own, direction, missing), below)]
    if unseen.before is not None and (tiered or ruled):
        found = [(Stage((((Entry(Rule(Action.ALLOW), unseen.before, ""),),),)), *stack) for stack in found]
    return Stacks(tuple(found))


def _entries(policy: Policy, selected: Truth, direction: str) -> list[Entry]:
    if policy.gap is not None:
        actions = (Action.ALLOW,) if policy.additive else (Action.ALLOW, Action.DENY)
        return [Entry(Rule(a), policy.gap, policy.name) for a in actions]
    return [Entry(r, selected, policy.name) for r in policy.rules.get(direction, ())]


def _closes(chosen: Sequence[Pick], direction: str) -> list[Truth]:
    return [s if p.gap is None else p.gap for p, s in chosen if s is not False and (p.gap is not None or direction in p.isolates)]


def _additive(chosen: Sequence[Pick], direction: str, missing: Mapping[str, Gap]) -> Stage:
    """Kubernetes' and Cilium's: what is denied is, what is allowed is, and the rest is closed where some policy closes it."""
    entries = [e for p, s in chosen if s is not False for e in _entries(p, s, direction)]
    closes = _closes(chosen, direction)
    more: list[Entry] = []
    for engine in ("core", "cilium"):
        gap = missing.get(engine)
        if gap is not None:
            more += [Entry(Rule(Action.ALLOW), gap, ""), *([Entry(Rule(Action.DENY), gap, "")] if engine == "cilium" else [])]
            closes.append(gap)
    entries += more
    denies = [e for e in entries if e.rule.action is Action.DENY]
    allows = [e for e in entries if e.rule.action is not Action.DENY]
    return Stage(((tuple(denies),), (tuple(allows),)), tuple(closes))


def _ranked(chosen: Sequence[Pick], direction: str, more: Gap | None) -> Stage:
    """Administrators' policies: by priority; the order of equal ones is nobody's promise."""
    groups: list[tuple[tuple[Entry, ...], ...]] = []
    last: float | None = None
    for policy, selected in chosen:
        entries = tuple(_entries(policy, selected, direction))
        if policy.order == last:
            groups[-1] = (*groups[-1], entries)
        else:
            groups.append((entries,))
        last = policy.order
    if more is not None:
        groups.insert(0, (tuple(Entry(Rule(a), more, "") for a in (Action.ALLOW, Action.DENY)),))
    return Stage(tuple(groups))


def _tiers(chosen: Sequence[Pick], direction: str, around: tuple[Stage, Stage], of: Index, unseen: Unseen) -> Stack:
    """Calico's: tier by tier, NetworkPolicies in the default one, administrators' tiers at their places."""
    above, below = around
    missing = unseen.missing
    places: list[tuple[float, str, Stage]] = [(ADMIN_ORDER, "", above), (BASELINE_ORDER, "", below)]
    by_tier: dict[str, list[tuple[Policy, Truth]]] = {calico.DEFAULT_TIER: []}
    for policy, selected in chosen:
        by_tier.setdefault(policy.tier or calico.DEFAULT_TIER, []).append((policy, selected))
    doubts: list[Entry] = []
    for tier, members in by_tier.items():
        order, passes, gap = _tier(tier, of, unseen.tier)
        members.sort(key=lambda m: (m[0].order, m[0].name))
        entries = [e for p, s in members if s is not False for e in _entries(p, s, direction)]
        closes = [] if passes else _closes(members, direction)
        if tier == calico.DEFAULT_TIER and "core" in missing:
            entries.append(Entry(Rule(Action.ALLOW), missing["core"], ""))
            closes.append(missing["core"])
        if gap is not None and (entries or closes):
            doubts += [Entry(Rule(a), gap, tier) for a in (Action.ALLOW, Action.DENY)]
        places.append((order, tier, Stage(((tuple(entries),),), tuple(closes))))
    if "calico" in missing:
        doubts += [Entry(Rule(a), missing["calico"], "") for a in (Action.ALLOW, Action.DENY)]
    first = (Stage(((tuple(doubts),),)),) if doubts else ()
    return (*first, *(stage for _, _, stage in sorted(places, key=lambda p: p[:2])))


def _tier(name: str, of: Index, unsure: Callable[[str], Gap | None]) -> tuple[float, bool, Gap | None]:
    """(order, whether it passes on what no rule matches, why that is not known) of a tier."""
    found = of.tiers.get(name)
    if name == calico.DEFAULT_TIER:
        return DEFAULT_ORDER, False, None
    if name in PASS_TIERS:
        return (ADMIN_ORDER if "baseline" not in name else BASELINE_ORDER), True, None
    if found is None:
        return math.inf, False, unsure(name)
    order: Any = found.facts.get("order")
    gap = next(iter(found.gaps.values()), None)
    return (float(order) if isinstance(order, int | float) else math.inf), found.facts.get("default_action") == "Pass", gap
