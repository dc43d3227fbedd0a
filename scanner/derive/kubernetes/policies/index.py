"""The policies of a snapshot, of every engine, and what they refer to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.kubernetes.policies import admin, calico, cilium, core
from scanner.derive.kubernetes.policies.labels import Labels, may_have
from scanner.derive.kubernetes.policies.model import (
    Network,
    Pod,
    Policy,
    networks,
)
from scanner.derive.kubernetes.types import NAMESPACE, NOT_HERE, POLICY, from_manifests, namespace_of, object_id
from scanner.derive.three import Truth
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
CONFIG_MAP = "v1/ConfigMap"
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
    CONFIG_MAP: ("settings",),
}


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
    always: bool = False
    """Cilium closes every pod that no policy selects."""

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
        elif resource.native_type == CONFIG_MAP:
            settings: Any = world.fact(resource, "settings")
            # https://docs.cilium.io/en/stable/security/policy/intro/#policy-enforcement-modes
            always = not isinstance(settings, Gap) and settings.get("component") == "cilium" and settings.get("policy") == "always"
            of.always = of.always or always
    for resource in world.all("network_policy"):
        _place(found.setdefault(resource.scope, Index()), resource, world)
    return found


UNSHAPED = (AttributeError, KeyError, TypeError, ValueError)
"""What a policy of another shape than the documented one leads to."""


def _place(of: Index, resource: Resource, world: World) -> None:
    namespace = namespace_of(resource)
    if resource.native_type == POLICY:
        home = of.core.setdefault(namespace, Shelf())
    elif resource.native_type in CILIUM:
        home = of.cilium.setdefault(namespace, Shelf())
    elif resource.native_type in CALICO:
        home = of.calico.setdefault(namespace, Shelf())
    elif resource.native_type in ADMIN:
        home = of.admin
    else:
        return
    try:
        found = _translated(of, resource, namespace, world)
    except UNSHAPED as error:
        found = [_unread(resource, Gap(Reason.UNPARSABLE, "", "Correct the policy.", f"{resource.name}: {error}"[:200]))]
    for policy in found:
        home.add(policy)


def _unread(resource: Resource, gap: Gap) -> Policy:
    """A policy of which it is not known what it does."""
    tier = admin.TIERS.get(resource.native_type.rpartition("/")[2], admin.ADMIN) if resource.native_type in ADMIN else ""
    return Policy(resource.name, lambda _: gap, gap=gap, tier=tier, additive=resource.native_type == POLICY)


def _translated(of: Index, resource: Resource, namespace: str, world: World) -> list[Policy]:
    """The policies of one object: one for each of its specs."""
    if resource.native_type == POLICY:
        return [core.translate(resource, namespace, world)]
    specs: Any = world.fact(resource, "specs")
    if isinstance(specs, Gap):
        return [_unread(resource, specs)]
    if resource.native_type in CILIUM:
        return [cilium.translate(resource.name, spec, namespace, _groups(of, resource, world)) for spec in specs]
    if resource.native_type in CALICO:
        return [calico.translate(resource.name, spec, namespace, _sets(of, resource, world)) for spec in specs]
    kind = resource.native_type.rpartition("/")[2]
    return [admin.translate(kind, resource.name, spec) for spec in specs]


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
            gap = unlisted(world, resource, SETS, "a network set of that name")
            try:
                made.append(gap or [_set(r, world) for r in of.sets])
            except UNSHAPED as error:
                made.append(Gap(Reason.UNPARSABLE, "", "Correct the network sets.", str(error)[:200]))
        return made[0]

    return look


def _set(resource: Resource, world: World) -> calico.Set:
    blocks = world.fact(resource, "networks")
    inside = namespace_of(resource) or None
    space = labels_of_namespace(world, resource, inside) if inside else Labels()
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


def labels_of_namespace(world: World, resource: Resource, namespace: str) -> Labels:
    """Labels of a namespace. https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-metadata-name."""
    name = {"kubernetes.io/metadata.name": namespace}
    found = world.get("namespace", object_id(resource.scope, "Namespace", "", namespace))
    if found is not None:
        return Labels({**found.tags, **name})
    if from_manifests(resource):
        return Labels(name, gap=Gap(Reason.NOT_OFFERED, "", NOT_HERE, f"the namespace {namespace} is not in these manifests"))
    return Labels(name, gap=world.listing(NAMESPACE, resource.scope, namespace))
