"""What network policies do to pods: who is isolated, and which addresses stay reachable.

Semantics: https://kubernetes.io/docs/concepts/services-networking/network-policies/ . Policies only ever add: a pod that one policy
selects for a direction is isolated in it, and may then do what any policy that selects it allows.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.kubernetes.types import NOT_HERE, POLICY, from_manifests, namespace_of, unseen
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import World
from scanner.model import JSON, Gap, Reason, Resource

METADATA = ipaddress.IPv4Address("169.254.169.254")
"""Instance metadata of every large cloud."""
LAST_PORT = 65_535
FOREIGN = (
    "cilium.io/v2/CiliumNetworkPolicy",
    "cilium.io/v2/CiliumClusterwideNetworkPolicy",
    "crd.projectcalico.org/v1/NetworkPolicy",
    "crd.projectcalico.org/v1/GlobalNetworkPolicy",
    "projectcalico.org/v3/NetworkPolicy",
    "projectcalico.org/v3/GlobalNetworkPolicy",
    "policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy",
    "policy.networking.k8s.io/v1alpha1/BaselineAdminNetworkPolicy",
    "policy.networking.k8s.io/v1alpha2/ClusterNetworkPolicy",
)
ADDED_LABELS = (
    "pod-template-hash",
    "controller-revision-hash",
    "pod-template-generation",
    "controller-uid",
    "job-name",
    "notebook-name",
    "statefulset",
    "app.kubernetes.io/created-by",
)
ADDED_PREFIXES = (
    "batch.kubernetes.io/",
    "apps.kubernetes.io/",
    "statefulset.kubernetes.io/",
    "ray.io/",
    "training.kubeflow.org/",
    "trainer.kubeflow.org/",
    "jobset.sigs.k8s.io/",
    "leaderworkerset.sigs.k8s.io/",
    "volcano.sh/",
    "serving.kserve.io/",
    "serving.knative.dev/",
    "workflows.argoproj.io/",
    "seldon",
    "sparkoperator.k8s.io/",
    "spark-",
)
"""Labels that controllers put on pods beside those of the template."""
ADDED_BY_GROUP: Mapping[str, frozenset[str]] = {
    "machinelearning.seldon.io": frozenset({"app", "version", "app.kubernetes.io/managed-by", "fluentd"}),
    "ray.io": frozenset({"app.kubernetes.io/name"}),
    "serving.knative.dev": frozenset({"app"}),
    "serving.kserve.io": frozenset({"app", "component"}),
}
"""More of them, with names that others use as well: API group of the workload → labels."""


@dataclass(frozen=True, slots=True)
class Policy:
    """One NetworkPolicy, or why it could not be read."""

    name: str
    selector: Mapping[str, Any]
    types: frozenset[str]
    rules: Mapping[str, Sequence[Mapping[str, Any]]]
    gap: Gap | None = None


@dataclass(slots=True)
class Policies:
    """The policies of the snapshot."""

    own: dict[tuple[str, str], list[Policy]] = field(default_factory=dict)
    """(scope, namespace) → NetworkPolicies."""
    foreign: dict[tuple[str, str], str] = field(default_factory=dict)
    """(scope, namespace; empty for all of them) → type of another engine's policy."""


def policies(world: World) -> Policies:
    """The index, made once a world."""
    return world.memo("kubernetes.policies", lambda: _index(world))


def _index(world: World) -> Policies:
    found = Policies()
    for resource in world.all("network_policy"):
        key = (resource.scope, namespace_of(resource))
        if resource.native_type == POLICY:
            found.own.setdefault(key, []).append(_policy(resource, world))
        elif resource.native_type in FOREIGN:
            found.foreign.setdefault(key, resource.native_type)
    return found


def _policy(resource: Resource, world: World) -> Policy:
    facts: dict[str, Any] = {name: world.fact(resource, name) for name in ("selector", "policy_types", "ingress", "egress")}
    gap = next((f for f in facts.values() if isinstance(f, Gap)), None)
    if gap is not None:
        return Policy(resource.name, {}, frozenset(), {}, gap)
    return Policy(
        resource.name, facts["selector"], frozenset(facts["policy_types"]), {"Ingress": facts["ingress"], "Egress": facts["egress"]}
    )


def selects(selector: Mapping[str, Any], labels: Mapping[str, str], *, maker: str) -> Truth:
    """Whether a label selector picks a pod. Its `maker`, a native type, adds labels of its own, so that those keys are unknown."""
    checks: list[Truth] = []
    for key, value in (selector.get("matchLabels") or {}).items():
        checks.append(_known(key, labels, maker) or labels.get(key) == _text(value))
    checks += [_expression(e, labels, maker) for e in selector.get("matchExpressions") or []]
    return all_of(checks)


def _known(key: str, labels: Mapping[str, str], maker: str) -> Gap | None:
    group, _, _ = maker.partition("/")
    added = key in ADDED_LABELS or key in ADDED_BY_GROUP.get(group, ()) or key.startswith(ADDED_PREFIXES)
    if maker and key not in labels and added:
        return Gap(
            Reason.NOT_OFFERED,
            "",
            "Judge it in the live cluster, where its pods have all their labels.",
            f"its controller may add the label {key}",
        )
    return None


def _expression(expression: Mapping[str, Any], labels: Mapping[str, str], maker: str) -> Truth:
    key, operator = str(expression.get("key", "")), expression.get("operator")
    gap = _known(key, labels, maker)
    if gap is not None:
        return gap
    values = [_text(v) for v in expression.get("values") or []]
    if operator == "In":
        return key in labels and labels[key] in values
    if operator == "NotIn":
        return labels.get(key) not in values
    if operator == "Exists":
        return key in labels
    if operator == "DoesNotExist":
        return key not in labels
    return Gap(Reason.UNPARSABLE, "", "Correct the selector.", f"the operator {operator!r} is not known")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _selected(pod: Resource, world: World) -> list[tuple[Policy, Truth]]:
    """The policies of a pod's namespace, each with whether it selects the pod."""
    labels = world.fact(pod, "pod_labels")
    found: list[tuple[Policy, Truth]] = []
    for policy in policies(world).own.get((pod.scope, namespace_of(pod)), []):
        if policy.gap is not None:
            found.append((policy, policy.gap))
        elif not policy.selector.get("matchLabels") and not policy.selector.get("matchExpressions"):
            found.append((policy, True))
        elif isinstance(labels, Gap):
            found.append((policy, labels))
        else:
            found.append((policy, selects(policy.selector, labels, maker=pod.native_type.removeprefix("v1/Pod"))))
    return found


def _faces(policy: Policy, direction: str) -> bool:
    """Whether a policy speaks of a direction; one that could not be read may."""
    return policy.gap is not None or direction in policy.types


def _host(pod: Resource, world: World) -> Truth:
    """Whether a pod is on the host's network."""
    found = world.fact(pod, "host_network")
    return found if isinstance(found, Gap) else found is True


HOST = Gap(
    Reason.NOT_OFFERED,
    "",
    "Take it off the host's network, or filter on the node.",
    "network policies do not bind pods on the host's network",
)


def isolated(pod: Resource, direction: str, world: World) -> Truth:
    """Whether some policy selects a pod for a direction."""
    host = _host(pod, world)
    if host is not False:
        return HOST if host is True else host
    found = any_of(truth for policy, truth in _selected(pod, world) if _faces(policy, direction))
    if found is not False:
        return found
    gap = unseen(world, pod, POLICY, "a network policy for it", namespace_of(pod)) or foreign(pod, world)
    return gap or False


def foreign(resource: Resource, world: World) -> Gap | None:
    """Policies of another engine that could isolate a pod: they are not evaluated, so nothing is concluded."""
    index = policies(world).foreign
    other = index.get((resource.scope, namespace_of(resource))) or index.get((resource.scope, ""))
    if other:
        return Gap(Reason.NOT_OFFERED, "", "Check those policies by hand.", f"{other} is not evaluated")
    if from_manifests(resource):
        return None
    gaps = (world.listing(native, resource.scope, namespace_of(resource)) for native in FOREIGN)
    # NOTE: an engine that is not installed has no policies; one that is there and could not be listed may have
    return next((g for g in gaps if g is not None and g.reason not in (Reason.SERVICE_OFF, Reason.NOT_OFFERED)), None)


def open_by(pod: Resource, direction: str, world: World) -> list[str] | Gap:
    """Names of the policies that select a pod and admit everyone on every port, together where none does so alone."""
    sure: list[tuple[str, list[Block]]] = []
    unsure: list[Block] = []
    gap: Gap | None = None
    for policy, truth in _selected(pod, world):
        if not _faces(policy, direction) or truth is False:
            continue
        blocks = [b for rule in policy.rules.get(direction, ()) for b in admitted(rule, direction)]
        if truth is True:
            sure.append((policy.name, blocks))
        elif isinstance(truth, Gap) and (blocks or policy.gap):
            gap = gap or truth
            unsure += EVERYWHERE if policy.gap else blocks
    names = [name for name, blocks in sure if everywhere(blocks)]
    together = [b for _, blocks in sure for b in blocks]
    if not names and everywhere(together):
        names = [name for name, blocks in sure if blocks]
    if names:
        return sorted(names)
    unread = None if from_manifests(pod) else world.listing(POLICY, pod.scope, namespace_of(pod))
    # NOTE: policies only add, those of another engine too: one that was not read may admit everyone
    return (gap if everywhere([*together, *unsure]) else None) or unread or foreign(pod, world) or []


PEERS = {"Ingress": "from", "Egress": "to"}
Block = ipaddress.IPv4Network | ipaddress.IPv6Network
EVERYWHERE: Sequence[Block] = (ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0"))
METADATA_V6 = ipaddress.IPv6Address("fd00:ec2::254")
"""https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html"""


def everywhere(blocks: Iterable[Block]) -> bool:
    """Whether blocks together are all of IPv4, or all of IPv6."""
    kept = list(blocks)
    v4 = ipaddress.collapse_addresses(b for b in kept if isinstance(b, ipaddress.IPv4Network))
    v6 = ipaddress.collapse_addresses(b for b in kept if isinstance(b, ipaddress.IPv6Network))
    return any(n.prefixlen == 0 for n in v4) or any(n.prefixlen == 0 for n in v6)


def admitted(rule: Mapping[str, Any], direction: str) -> Sequence[Block]:
    """The addresses that a rule admits on every port."""
    ports = rule.get("ports") or []
    if ports and not any(_every_port(p) for p in ports):
        return ()
    peers = rule.get(PEERS[direction]) or []
    if not peers:
        return EVERYWHERE
    blocks: list[Block] = []
    for peer in peers:
        block = peer.get("ipBlock")
        if (
            block is None
            and peer.get("namespaceSelector") is not None
            and not _narrow(peer["namespaceSelector"])
            and not _narrow(peer.get("podSelector"))
        ):
            return EVERYWHERE
        if block is not None and not _spares(block, direction):
            blocks += _network(block.get("cidr"))
    return blocks


def _spares(block: Mapping[str, Any], direction: str) -> bool:
    """Whether the exceptions of a block make it less than the whole: for egress those do that spare the metadata endpoint."""
    spared = [n for cidr in block.get("except") or [] for n in _network(cidr)]
    if direction == "Ingress":
        return bool(spared)
    return any(METADATA in n or METADATA_V6 in n for n in spared)


def _narrow(selector: Mapping[str, Any] | None) -> bool:
    return selector is not None and bool(selector.get("matchLabels") or selector.get("matchExpressions"))


def _every_port(port: Mapping[str, Any]) -> bool:
    first = port.get("port")
    return first is None or (isinstance(first, int) and first <= 1 and port.get("endPort") == LAST_PORT)


def _network(cidr: object) -> list[Block]:
    try:
        return [ipaddress.ip_network(str(cidr), strict=False)]
    except ValueError:
        return []


def admits_address(rule: Mapping[str, Any], address: ipaddress.IPv4Address, port: int) -> bool:
    """Whether an egress rule admits TCP connections to an address that is no pod's."""
    ports = rule.get("ports") or []
    if ports and not any(_admits_port(p, port) for p in ports):
        return False
    peers = rule.get("to") or []
    return not peers or any(_in_block(peer.get("ipBlock"), address) for peer in peers)


def _admits_port(entry: Mapping[str, Any], port: int) -> bool:
    if entry.get("protocol", "TCP") != "TCP":
        return False
    first = entry.get("port")
    if first is None:
        return True
    return isinstance(first, int) and first <= port <= int(entry.get("endPort") or first)


def _in_block(block: Mapping[str, Any] | None, address: ipaddress.IPv4Address) -> bool:
    if block is None:
        return False
    inside = any(address in n for n in _network(block.get("cidr")))
    return inside and not any(address in n for cidr in block.get("except") or [] for n in _network(cidr))


def metadata_reachable(pod: Resource, world: World) -> Truth:
    """Whether a pod may open connections to the instance metadata endpoint, as far as policies decide."""
    host = _host(pod, world)
    if host is not False:
        return host
    shut = isolated(pod, "Egress", world)
    chosen = [(p, truth) for p, truth in _selected(pod, world) if _faces(p, "Egress")]
    open_: Truth = any_of(
        truth for p, truth in chosen if p.gap is not None or any(admits_address(r, METADATA, 80) for r in p.rules["Egress"])
    )
    if open_ is True or shut is False:
        return True
    if isinstance(shut, Gap):
        return shut
    if isinstance(open_, Gap):
        return open_
    if from_manifests(pod):
        return Gap(Reason.NOT_OFFERED, "", NOT_HERE, "another policy of the cluster may allow it")
    return world.listing(POLICY, pod.scope, namespace_of(pod)) or foreign(pod, world) or False


def default_deny(namespace: Resource, direction: str, world: World) -> Truth:
    """Whether a policy selects every pod of a namespace for a direction."""
    found: Iterable[Truth] = (
        policy.gap or (direction in policy.types and not _narrow(policy.selector))
        for policy in policies(world).own.get((namespace.scope, namespace.name), [])
    )
    truth = any_of(found)
    if truth is not False:
        return truth
    return unseen(world, namespace, POLICY, "a network policy for it", namespace.name) or foreign(namespace, world) or False


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The network facts of a workload."""
    return {
        "ingress_isolated": isolated(pod, "Ingress", world),
        "egress_isolated": isolated(pod, "Egress", world),
        "ingress_open_by": open_by(pod, "Ingress", world),
        "egress_open_by": open_by(pod, "Egress", world),
        "metadata_reachable": metadata_reachable(pod, world),
    }


def of_namespace(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The network facts of a namespace."""
    return {f"default_deny_{d.lower()}": default_deny(namespace, d, world) for d in ("Ingress", "Egress")}
