"""What the policies of all engines together say of one pod.

What was not seen stands among the rules as one that may match: it counts only where it decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from typing import Any

from scanner.derive.kubernetes.policies import admin, calico
from scanner.derive.kubernetes.policies.index import Index
from scanner.derive.kubernetes.policies.model import Action, Connection, Pod, Policy, Rule
from scanner.derive.three import Truth, any_of
from scanner.model import Gap, Reason, frozen

PASS_TIERS = ("adminnetworkpolicy", "kube-admin", "kube-baseline", "baselineadminnetworkpolicy")
"""Tiers of Calico whose default is to pass."""
ADMIN_ORDER, DEFAULT_ORDER, BASELINE_ORDER = 1_000.0, 1_000_000.0, 10_000_000.0
"""https://github.com/projectcalico/calico/blob/master/api/pkg/apis/projectcalico/v3/tier.go"""


@frozen
class Entry:
    """A rule as it applies to one pod."""

    rule: Rule
    selected: Truth
    policy: str

    def matches(self, at: Connection) -> Truth:
        """Whether it speaks of a connection."""
        found = self.rule.matches(at) if self.selected is not False else False
        return found if self.selected is True or found is False else self.selected


@frozen
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
    stage = stack[0]
    # NOTE: asked once, and only where it matters: many rules that may pass it on would else ask as many times, at every stage
    rest = cache(lambda: decide(stack[1:], at))
    outcomes: list[Truth] = []
    doubt: Gap | None = None
    for group in stage.groups:
        settled = False
        for entries in group:
            for entry in entries:
                matched = entry.matches(at)
                if matched is False:
                    continue
                outcomes.append(rest() if entry.rule.action is Action.PASS else entry.rule.action is Action.ALLOW)
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
        outcomes.append(rest())
    return _settle(outcomes, doubt)


def _settle(outcomes: Sequence[Truth], doubt: Gap | None) -> Truth:
    if all(o is True for o in outcomes):
        return True
    if all(o is False for o in outcomes):
        return False
    return doubt or next((o for o in outcomes if isinstance(o, Gap)), RANK)


@frozen
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

    def about(self, at: Connection) -> Stacks:
        """Without the rules that surely speak of other ports than that of a connection, whoever the peer is."""

        def speaks(entry: Entry) -> bool:
            ports = entry.rule.ports
            return ports is None or any(p.name is not None or p.matches(at) is not False for p in ports)

        def slim(stage: Stage) -> Stage:
            groups = (tuple(tuple(e for e in entries if speaks(e)) for entries in group) for group in stage.groups)
            return replace(stage, groups=tuple(groups))

        return Stacks(tuple(tuple(slim(stage) for stage in stack) for stack in self.engines))

    def closes(self) -> Iterable[Truth]:
        """Of each policy, whether it isolates the pod."""
        return (truth for stack in self.engines for stage in stack for truth in stage.closes)


@frozen
class Unseen:
    """What may be there besides."""

    missing: Mapping[str, Gap] = field(default_factory=dict)
    """Engines (`core`, `cilium`, `calico`, `admin`) that may have more policies."""
    before: Gap | None = None
    """In files: why a policy that comes first may allow what these deny."""
    tier: Callable[[str], Gap | None] = lambda _: None
    """Why a tier that was not seen may be there."""


@frozen
class Chosen:
    """The policies that may select a pod, each with whether it does."""

    core: Sequence[Pick]
    cilium: Sequence[Pick]
    calico: Sequence[Pick]
    admin: Sequence[Pick]

    def key(self, pod: Pod) -> tuple[object, ...]:
        """What rules may ask of a pod that has these policies: pods of one key are alike to them."""
        picks = (*self.core, *self.cilium, *self.calico, *self.admin)
        names = tuple((id(policy), truth) for policy, truth in picks)
        if not any(policy.asks_subject for policy, _ in picks):
            return (pod.scope, pod.namespace, pod.ports, pod.host, names)
        labels = (frozenset(pod.labels.known.items()), pod.labels.maker, pod.labels.gap)
        return (pod.scope, pod.namespace, pod.ports, pod.host, names, pod.account, *labels)


def choose(pod: Pod, of: Index) -> Chosen:
    """The policies of a pod."""
    own = of.core[pod.namespace].selecting(pod) if pod.namespace in of.core else []
    ruled = sorted(of.admin.selecting(pod), key=lambda c: c[0].order)
    return Chosen(own, of.near(of.cilium, pod), of.near(of.calico, pod), ruled)


def build(chosen: Chosen, direction: str, of: Index, unseen: Unseen) -> Stacks:
    """The stacks of a pod."""
    missing = unseen.missing
    own, endpoints, tiered, ruled = chosen.core, chosen.cilium, chosen.calico, chosen.admin
    above = _ranked([r for r in ruled if r[0].tier == admin.ADMIN], direction, missing.get("admin"))
    below = _ranked([r for r in ruled if r[0].tier == admin.BASELINE], direction, None)
    engines: list[Stack] = []
    if tiered or "calico" in missing:
        engines.append(_tiers([*tiered, *own], direction, (above, below), of, unseen))
    if endpoints or "cilium" in missing or of.always:
        engines.append((above, _additive([*endpoints, *own], direction, missing, closed=of.always), below))
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


def _additive(chosen: Sequence[Pick], direction: str, missing: Mapping[str, Gap], *, closed: bool = False) -> Stage:
    """Kubernetes' and Cilium's: what is denied is, what is allowed is, and the rest is closed where some policy closes it."""
    entries = [e for p, s in chosen if s is not False for e in _entries(p, s, direction)]
    closes = [*([True] if closed else []), *_closes(chosen, direction)]
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
