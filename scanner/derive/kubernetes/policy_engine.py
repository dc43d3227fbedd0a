"""Whether something in a cluster enforces NetworkPolicies: the API server takes them, whoever carries the traffic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scanner.derive.kubernetes.tenants import READS, is_platform
from scanner.derive.kubernetes.types import CLUSTER, NODE, namespace_of, object_id
from scanner.derive.three import Truth
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

DAEMON_SET, CONFIG_MAP = "apps/v1/DaemonSet", "v1/ConfigMap"
PLACES = frozenset(
    {"kube-system", "calico-system", "tigera-operator", "cilium", "cilium-system", "kube-flannel", "kube-router"}
    | {"antrea", "antrea-system", "kube-ovn", "ovn-kubernetes", "openshift-ovn-kubernetes"}
)
"""Namespaces that network plugins are installed in by their own instructions; the platform's own are as good."""
AWS = "Amazon VPC CNI network policy agent"
EMBEDDED = "+k3s"
"""In the version of kubelets that have a policy controller of their own. https://docs.k3s.io/networking/networking-services"""


def enforces(agent: Mapping[str, Any], workload: Resource, world: World) -> Truth:
    """Whether an agent of a network plugin enforces policies; of some a ConfigMap says so."""
    said = agent["policies"]
    if said == "setting":
        mode = _setting(workload, "cilium-config", namespace_of(workload), "policy", world)
        return mode if isinstance(mode, Gap) else mode != "never"
    if said == "yes" and agent["product"] == AWS:
        # NOTE: without it the controller in the control plane tells the agents nothing:
        # https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy-configure.html
        mode = _setting(workload, "amazon-vpc-cni", "kube-system", "network_policy", world)
        return mode if isinstance(mode, Gap) else mode == "on"
    unknown = Gap(
        Reason.NOT_OFFERED, "", "Look at how it is started.", f"whether {agent['product']} enforces policies does not show"
    )
    return {"yes": True, "no": False}.get(said, unknown)


def _setting(workload: Resource, name: str, namespace: str, key: str, world: World) -> str | Gap:
    """A setting of a ConfigMap, `default` where it has none."""
    found = world.get("configuration", object_id(workload.scope, "ConfigMap", namespace, name))
    if found is None:
        return world.listing(CONFIG_MAP, workload.scope, namespace) or "default"
    settings: Any = world.fact(found, "settings")
    if isinstance(settings, Gap):
        return settings
    value = str(settings.get(key) or "default")
    wrong = Gap(Reason.UNPARSABLE, "", f"Correct {name}.", f"{name} says something else than its documentation")
    return wrong if value == "unreadable" else value


def ignores_policies(cluster: Resource, world: World) -> list[str] | Gap:
    """The network plugins of a cluster in which nothing enforces policies; none where something does."""
    without: set[str] = set()
    gaps: list[Gap] = []
    for workload in world.all("workload", cluster.scope):
        agents: Any = world.fact(workload, "network_agents") if workload.native_type == DAEMON_SET else []
        if isinstance(agents, Gap):
            gaps.append(agents)
            continue
        for agent in () if _nowhere(workload, world) else agents:
            if agent["policies"] == "secondary":
                continue
            truth = _counts(agent, workload, world)
            if truth is True:
                return []
            if isinstance(truth, Gap):
                gaps.append(truth)
            else:
                without.add(str(agent["product"]))
    gap = world.listing(DAEMON_SET, cluster.scope) or next(iter(gaps), None) or _embedded(cluster, world)
    nothing = Gap(Reason.NOT_OFFERED, "", "Look at the network plugin.", "no network plugin that is known was recognised")
    return gap or (sorted(without) if without else nothing)


def _counts(agent: Mapping[str, Any], workload: Resource, world: World) -> Truth:
    """As `enforces`, where the agent is the platform's: anybody may call an image like a network plugin."""
    truth = enforces(agent, workload, world)
    if truth is False or namespace_of(workload) in PLACES:
        return truth
    own = is_platform(namespace_of(workload), workload.scope, world)
    if own is True or isinstance(own, Gap):
        return truth if own is True else own
    where = f"{agent['product']} runs in {namespace_of(workload)}, which is not known to be the platform's"
    return Gap(Reason.NOT_OFFERED, "", 'Name its namespace in bartizan.yaml: `tenants: {namespaces: {NAME: ""}}`.', where)


def _nowhere(workload: Resource, world: World) -> bool:
    """Whether a DaemonSet is for no node at all."""
    counts = world.fact(workload, "daemons") if workload.native_type == DAEMON_SET else {}
    return isinstance(counts, dict) and counts.get("wanted") == 0


def _embedded(cluster: Resource, world: World) -> Gap | None:
    """Why there may be an engine that no DaemonSet shows."""
    for node in world.all("node", cluster.scope):
        if node.native_type == NODE and EMBEDDED in str(node.facts.get("kubelet_version") or ""):
            detail = f"{node.name} runs k3s, which has a policy controller of its own unless it is turned off"
            return Gap(Reason.NOT_OFFERED, "", "Look at how k3s is started.", detail)
    return world.listing(NODE, cluster.scope)


def of_cluster(cluster: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a cluster ignores NetworkPolicies."""
    found = ignores_policies(cluster, world)
    return {"ignores_policies": found if isinstance(found, Gap) else list(found)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "cluster",
        ("ignores_policies",),
        of_cluster,
        reads={
            DAEMON_SET: ("network_agents", "namespace", "daemons"),
            CONFIG_MAP: ("settings", "namespace"),
            NODE: ("kubelet_version",),
            **READS,
        },
        native_types=(CLUSTER,),
    ),
)
