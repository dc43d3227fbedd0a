"""What network policies do to pods: who is isolated, who may connect, and which addresses stay reachable.

Policies of Kubernetes, Cilium, Calico and of the cluster's administrators are evaluated together (`policies/`). What could not be seen
or evaluated is a gap, and only where it decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scanner.derive.kubernetes import exposure
from scanner.derive.kubernetes.policies import index, stacks
from scanner.derive.kubernetes.policies.labels import Labels
from scanner.derive.kubernetes.policies.labels import selects as labels_selected
from scanner.derive.kubernetes.policies.model import (
    DIRECTIONS,
    EGRESS,
    INGRESS,
    IP,
    METADATA,
    Action,
    Address,
    Connection,
    ContainerPort,
    Network,
    Peer,
    Pod,
    Unsure,
    everywhere,
)
from scanner.derive.kubernetes.policies.someone import Someone, anyones, ports_to_try, someone_admitted
from scanner.derive.kubernetes.policies.stacks import Stacks, Unseen
from scanner.derive.kubernetes.types import ACCOUNT, NAMESPACE, NOT_HERE, POD_LIKE, POLICY, from_manifests, namespace_of, object_id
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

READS: Mapping[str, tuple[str, ...]] = {**index.READS, ACCOUNT: ("namespace",)}
NEEDS = ("namespace", "pod_labels", "host_network", "service_account", "container_ports")


HOST = Gap(
    Reason.NOT_OFFERED,
    "",
    "Take it off the host's network, or filter on the node.",
    "network policies do not bind pods on the host's network",
)
VARIES = Gap(Reason.NOT_OFFERED, "", "", "it differs from pod to pod")
# ---- pods


def selects(selector: Mapping[str, Any], labels: Mapping[str, str], *, maker: str = "") -> Truth:
    """Whether a label selector picks what has these labels. Its `maker`, a native type, adds labels of its own."""
    return labels_selected(selector, Labels(labels, maker))


def pod_of(resource: Resource, world: World) -> Pod:
    """A workload as policies see its pods."""
    space = namespace_of(resource)
    labels = exposure.labels_of(resource, world)
    account, ports = (world.fact(resource, f) for f in ("service_account", "container_ports"))
    maker = resource.native_type.removeprefix("v1/Pod")
    host = world.fact(resource, "host_network")
    known = {} if isinstance(labels, Gap) else {str(k): str(v) for k, v in labels.items()}
    found: tuple[ContainerPort, ...] | Gap = (
        ports
        if isinstance(ports, Gap)
        else tuple(
            ContainerPort(str(p["name"]), p["port"], str(p["protocol"]))
            for p in (ports if isinstance(ports, list) else [])
            if isinstance(p, dict)
        )
    )
    return Pod(
        resource.scope,
        space,
        Labels(known, maker, labels if isinstance(labels, Gap) else None),
        index.labels_of_namespace(world, resource, space),
        account if isinstance(account, Gap) else str(account),
        _account_labels(resource, space, account, world),
        found,
        host if isinstance(host, Gap) else host is True,
    )


def _account_labels(resource: Resource, space: str, account: Any, world: World) -> Labels:
    if isinstance(account, Gap):
        return Labels(gap=account)
    found = world.get("identity", object_id(resource.scope, "ServiceAccount", space, str(account)))
    if found is not None:
        return Labels(found.tags)
    return Labels(gap=index.unlisted(world, resource, (ACCOUNT,), f"the service account {account}"))


def _host(pod: Resource, world: World) -> Truth:
    """Whether a pod is on the host's network."""
    found = world.fact(pod, "host_network")
    return found if isinstance(found, Gap) else found is True


def stacks_of(resource: Resource, direction: str, world: World, *, seen_only: bool = False) -> tuple[Pod, Stacks]:
    """The policies that apply to a workload; `seen_only` leaves out what may be there besides. Alike pods share them."""
    known: dict[Any, tuple[Pod, Stacks]] = world.memo("kubernetes.policies.of", dict)
    key = (resource.id, direction, seen_only)
    if key not in known:
        known[key] = _stacks(resource, direction, world, seen_only=seen_only)
    return known[key]


def _stacks(resource: Resource, direction: str, world: World, *, seen_only: bool) -> tuple[Pod, Stacks]:
    pods: dict[str, tuple[Any, Pod]] = world.memo("kubernetes.policies.pods", dict)
    if resource.id not in pods:
        pod = pod_of(resource, world)
        same = (pod.labels.maker, pod.labels.gap, pod.account, pod.ports, pod.host)
        pods[resource.id] = (pod.scope, pod.namespace, frozenset(pod.labels.known.items()), *same), pod
    profile, pod = pods[resource.id]
    of = index.index(world, pod.scope)
    chosen: dict[Any, Any] = world.memo("kubernetes.policies.chosen", dict)
    if profile not in chosen:
        picked = stacks.choose(pod, of)
        chosen[profile] = picked, picked.key(pod)
    made: dict[Any, tuple[Pod, Stacks]] = world.memo("kubernetes.policies.stacks", dict)
    picked, alike = chosen[profile]
    key = (alike, direction, seen_only)
    if key not in made:
        unseen = Unseen() if seen_only else _unseen(resource, world)
        made[key] = pod, stacks.build(picked, direction, of, unseen)
    return made[key]


def _unseen(resource: Resource, world: World) -> Unseen:
    """Policies that may be there besides those that were seen: in files NetworkPolicies at least, live what was not listed."""

    def tier(name: str) -> Gap | None:
        return index.unlisted(world, resource, index.TIERS, f"Calico's tier {name}")

    space = namespace_of(resource)
    if from_manifests(resource):
        core = Gap(Reason.NOT_OFFERED, "", NOT_HERE, "a network policy for it is not in these manifests")
        more = Gap(Reason.NOT_OFFERED, "", NOT_HERE, "another policy of the cluster may allow it")
        return Unseen({"core": core}, more, tier)
    key = ("kubernetes.policies.unseen", resource.scope, space)
    return world.memo(repr(key), lambda: Unseen(dict(_missing(resource, space, world)), None, tier))


def _missing(resource: Resource, space: str, world: World) -> Iterator[tuple[str, Gap]]:
    gap = world.listing(POLICY, resource.scope, space)
    if gap is not None:
        yield "core", gap
    for engine, types in (("cilium", index.CILIUM), ("calico", index.CALICO), ("admin", index.ADMIN)):
        gap = index.unlisted(world, resource, types, "")
        if gap is not None:
            yield engine, gap


# ---- who may connect


def admits(pod: Resource, direction: str, peer: Resource | Someone | IP, port: int, protocol: str, world: World) -> Truth:
    """Whether policies let a workload accept (`Ingress`) or open (`Egress`) a connection, seen from its side alone.

    `port` is that of whoever is connected to. A `Resource` is another workload; addresses are those of no pod.
    """
    host = _host(pod, world)
    if host is not False:
        return HOST if host is True else host
    subject, found = stacks_of(pod, direction, world)
    if isinstance(peer, Someone):
        cache: dict[Any, Truth] = world.memo("kubernetes.policies.someone", dict)
        key = (id(found), peer, port, protocol)
        if key not in cache:
            cache[key] = someone_admitted(peer, found, subject, direction, port, protocol)
        return cache[key]
    other: Peer = pod_of(peer, world) if isinstance(peer, Resource) else Address(peer)
    return found.admits(Connection(subject, direction, other, port, protocol))


def connects(source: Resource, target: Resource, port: int, protocol: str, world: World) -> Truth:
    """Whether policies of both sides let one workload connect to another."""
    return all_of((admits(source, EGRESS, target, port, protocol, world), admits(target, INGRESS, source, port, protocol, world)))


def port_open_across_namespaces(pod: Resource, port: int, world: World) -> Truth:
    """Whether pods of other namespaces at large, or everyone, may open TCP connections to a port of a pod, as far as policies decide.

    At large: a pod whose creator picks its labels, in a namespace that no policy names. Port 0 is one that is not known.
    """
    if port == 0:
        found = [port_open_across_namespaces(pod, p, world) for p in _ports_of(pod, world)]
        return found[0] if found and all(f is found[0] for f in found) else HIDDEN
    return any_of(admits(pod, INGRESS, someone, port, "TCP", world) for someone in Someone)


def reachable_from_other_namespaces(pod: Resource, world: World) -> Truth:
    """As `port_open_across_namespaces`, for some port: those that containers declare and that policies name, and one of the others."""
    return any_of(port_open_across_namespaces(pod, port, world) for port in _ports_of(pod, world))


HIDDEN = Gap(
    Reason.NOT_OFFERED, "", "Declare the port.", "policies let some ports be reached and not others, and its port is not known"
)


def _ports_of(pod: Resource, world: World) -> list[int]:
    subject, found = stacks_of(pod, INGRESS, world)
    declared = () if isinstance(subject.ports, Gap) else tuple(p.port for p in subject.ports if p.protocol == "TCP")
    return ports_to_try(found.entries(), declared)


# ---- facts of workloads


def isolated(pod: Resource, direction: str, world: World) -> Truth:
    """Whether policies close a direction for a pod: what none of them allows is denied, or all of it is denied outright."""
    host = _host(pod, world)
    if host is not False:
        return HOST if host is True else host
    _, found = stacks_of(pod, direction, world)
    outright = [e for e in found.entries() if e.rule.action is Action.DENY and everywhere(e.rule.wide(direction))]
    return any_of((*found.closes(), *(e.selected for e in outright)))


def open_by(pod: Resource, direction: str, world: World) -> list[str] | Gap:
    """Names of the policies that select a pod and admit everyone on every port, together where none does so alone."""
    subject, seen = stacks_of(pod, direction, world, seen_only=True)
    allows = [e for e in seen.entries() if e.rule.action is Action.ALLOW]
    sure: dict[str, list[Network]] = {}
    unsure: list[Network] = []
    gap: Gap | None = None
    for entry in allows:
        wide = entry.rule.wide(direction)
        if entry.selected is True:
            sure.setdefault(entry.policy, []).extend(wide)
        perhaps = entry.rule.wide(direction, sure=False)
        if perhaps and (entry.selected is not True or not wide):
            unsure += perhaps
            gap = gap or (
                entry.selected
                if isinstance(entry.selected, Gap)
                else next((t.gap for t in entry.rule.also if isinstance(t, Unsure)), None)
            )
    names = [name for name, blocks in sure.items() if everywhere(blocks)]
    together = [b for blocks in sure.values() for b in blocks]
    if not names and everywhere(together):
        names = [name for name, blocks in sure.items() if blocks]
    missing = None if from_manifests(pod) else next(iter(_unseen(pod, world).missing.values()), None)
    if names:
        found = seen if from_manifests(pod) else stacks_of(pod, direction, world)[1]
        still = any_of(found.admits(c) for c in anyones(subject, direction, found))
        return still if isinstance(still, Gap) else sorted(names) if still else []
    # NOTE: one that was not read may admit everyone
    return (gap if everywhere([*together, *unsure]) else None) or missing or []


def metadata_reachable(pod: Resource, world: World) -> Truth:
    """Whether a pod may open connections to the instance metadata endpoint, as far as policies decide."""
    host = _host(pod, world)
    return host if host is not False else admits(pod, EGRESS, METADATA, 80, "TCP", world)


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The network facts of a workload; those of alike pods are the same."""
    if _host(pod, world) is not False:
        return _facts(pod, world)
    known: dict[Any, Mapping[str, JSON | Gap]] = world.memo("kubernetes.policies.facts", dict)
    key = tuple(id(stacks_of(pod, d, world)[1]) for d in DIRECTIONS)
    if key not in known:
        known[key] = _facts(pod, world)
    return known[key]


def _facts(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    return {
        "ingress_isolated": isolated(pod, INGRESS, world),
        "egress_isolated": isolated(pod, EGRESS, world),
        "ingress_open_by": open_by(pod, INGRESS, world),
        "egress_open_by": open_by(pod, EGRESS, world),
        "metadata_reachable": metadata_reachable(pod, world),
        "reachable_from_other_namespaces": reachable_from_other_namespaces(pod, world),
    }


# ---- facts of namespaces


def default_deny(namespace: Resource, direction: str, world: World) -> Truth:
    """Whether policies close a direction for every pod of a namespace, whatever its labels."""
    labels = index.labels_of_namespace(world, namespace, namespace.name)
    anyone = Pod(namespace.scope, namespace.name, Labels(gap=VARIES), labels, VARIES, Labels(gap=VARIES), VARIES)
    of = index.index(world, namespace.scope)
    found = stacks.build(stacks.choose(anyone, of), direction, of, Unseen())
    outright = (e.selected for e in found.entries() if e.rule.action is Action.DENY and everywhere(e.rule.wide(direction)))
    truth = any_of(t for t in (*found.closes(), *outright) if t is not VARIES)
    if truth is not False:
        return truth
    unseen = _unseen(namespace, world)
    return next(iter(unseen.missing.values()), None) or False


def of_namespace(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The network facts of a namespace."""
    return {f"default_deny_{d.lower()}": default_deny(namespace, d, world) for d in DIRECTIONS}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        (
            "ingress_isolated",
            "egress_isolated",
            "ingress_open_by",
            "egress_open_by",
            "metadata_reachable",
            "reachable_from_other_namespaces",
        ),
        of_workload,
        needs=NEEDS,
        reads=READS,
        native_types=POD_LIKE,
    ),
    Derivation("namespace", ("default_deny_ingress", "default_deny_egress"), of_namespace, reads=READS, native_types=(NAMESPACE,)),
)
