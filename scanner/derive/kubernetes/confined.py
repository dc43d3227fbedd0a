"""Who may make pods beside the privileged ones of the GPU and Network Operators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scanner.derive.kubernetes import tenants
from scanner.derive.kubernetes.gpu_stack import DAEMON_SET, NETWORK_OPERATOR, OPERATOR, STACK, stack
from scanner.derive.kubernetes.types import CLUSTER_ROLE_BINDING, ROLE_BINDING, namespace_of, unseen
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

OWNERS: Mapping[str, str] = {
    "nvidia.com/v1/ClusterPolicy": OPERATOR,
    "nvidia.com/v1alpha1/GPUCluster": OPERATOR,
    "mellanox.com/v1alpha1/NicClusterPolicy": NETWORK_OPERATOR,
}
"""Objects of an operator → the product whose Deployment lives where its node agents do."""
MAKERS: Mapping[str, frozenset[str]] = {
    "": frozenset({"pods", "replicationcontrollers"}),
    "apps": frozenset({"daemonsets", "deployments", "replicasets", "statefulsets"}),
    "batch": frozenset({"cronjobs", "jobs"}),
}
"""API group → its resources that make pods; others that do (Ray clusters, notebooks) are not counted."""


@frozen
class Creator:
    """A subject that may make pods."""

    kind: str
    name: str
    namespace: str
    """Of a service account."""
    grant: str
    within: str
    """The namespace that the binding is for, empty for all."""


def home(policy: Resource, world: World) -> str | Gap:
    """The namespace of an operator's node agents: what its status says, else where they or the operator run."""
    said = world.fact(policy, "operand_namespace")
    if isinstance(said, Gap) or said:
        return said if isinstance(said, Gap) else str(said)
    parts, gap = stack(policy.scope, world)
    agents = world.memo(f"kubernetes.agents {policy.scope}", lambda: _agents(policy.scope, world))
    found = {namespace_of(p.workload) for p in parts if p.product == OWNERS[policy.native_type]} | agents.get(policy.id, set())
    if len(found) == 1:
        return found.pop()
    missing = Gap(Reason.NOT_OFFERED, "", "Scan the operator's Deployment as well.", "the operator's namespace is not known")
    return unseen(world, policy, "apps/v1/Deployment", "the operator's Deployment") or gap or missing


def _agents(scope: str, world: World) -> dict[str, set[str]]:
    """Id of an owner → the namespaces of its DaemonSets."""
    found: dict[str, set[str]] = {}
    for workload in world.all("workload", scope):
        owner = world.fact(workload, "controller_id") if workload.native_type == DAEMON_SET else ""
        if owner and not isinstance(owner, Gap):
            found.setdefault(str(owner), set()).add(namespace_of(workload))
    return found


def pod_creators(policy: Resource, world: World) -> JSON | Gap:
    """Subjects beside the operator, the platform and administrators of everything that may make pods in its namespace.

    Where not all bindings were seen, those that were; a gap only where none of them is one.
    """
    namespace = home(policy, world)
    if isinstance(namespace, Gap):
        return namespace
    everyone, gap = world.memo(f"kubernetes.pod_creators {policy.scope}", lambda: _creators(policy.scope, world))
    found: list[JSON] = []
    for creator in everyone:
        if creator.within not in ("", namespace) or (creator.kind == "ServiceAccount" and creator.namespace == namespace):
            continue
        foreign = _foreign(creator, policy.scope, world)
        gap = foreign if isinstance(foreign, Gap) else gap
        if foreign is True:
            found.append({"kind": creator.kind, "name": creator.name, "binding": creator.grant, "namespace": namespace})
    return (
        found
        or gap
        or unseen(world, policy, ROLE_BINDING, "a binding", namespace)
        or unseen(world, policy, CLUSTER_ROLE_BINDING, "a binding")
        or []
    )


def _foreign(creator: Creator, scope: str, world: World) -> bool | Gap:
    """Whether a subject is none of the platform's own: controllers of the platform make pods for others."""
    if creator.kind != "ServiceAccount":
        return True
    owner = tenants.tenant_of(creator.namespace, scope, world)
    return owner if isinstance(owner, Gap) else owner != tenants.PLATFORM


def _creators(scope: str, world: World) -> tuple[list[Creator], Gap | None]:
    """Everybody who may make pods somewhere, and why there may be more."""
    found: list[Creator] = []
    gap: Gap | None = None
    for grant in world.all("grant", scope):
        subjects, rules = world.fact(grant, "subjects"), world.fact(grant, "rules")
        if isinstance(subjects, Gap) or isinstance(rules, Gap):
            gap = subjects if isinstance(subjects, Gap) else rules
            continue
        if any(_everything(r) for r in rules):
            continue  # administrators of everything, whom iam.k8s_cluster_admin judges
        if any(_makes_pods(r) for r in rules):
            found += _subjects(grant, subjects)
        elif isinstance(settled := world.fact(grant, "rules_settled"), Gap):
            gap = settled
    return found, gap


def _subjects(grant: Resource, subjects: list[dict[str, Any]]) -> Iterator[Creator]:
    within = namespace_of(grant)
    for subject in subjects:
        if subject["system"] is False:
            home_of = (subject["namespace"] or within) if subject["kind"] == "ServiceAccount" else ""
            yield Creator(subject["kind"], subject["name"], home_of, grant.name, within)


def _everything(rule: Mapping[str, list[str]]) -> bool:
    return all("*" in rule[key] for key in ("verbs", "resources", "api_groups")) and not rule["resource_names"]


def _makes_pods(rule: Mapping[str, list[str]]) -> bool:
    """A rule that names objects grants no creation of them: their names are not known when they are made.

    https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources
    """
    if not {"create", "*"} & set(rule["verbs"]) or rule["resource_names"]:
        return False
    groups = MAKERS if "*" in rule["api_groups"] else {g: MAKERS[g] for g in rule["api_groups"] if g in MAKERS}
    wanted = set(rule["resources"])
    return bool(groups) and ("*" in wanted or any(wanted & resources for resources in groups.values()))


def of_policy(policy: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Who may make pods in the namespace of an operator."""
    return {"pod_creators": pod_creators(policy, world)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "operator",
        ("pod_creators",),
        of_policy,
        needs=("operand_namespace",),
        reads={
            **STACK,
            **tenants.READS,
            ROLE_BINDING: ("subjects", "rules", "rules_settled", "namespace"),
            CLUSTER_ROLE_BINDING: ("subjects", "rules", "rules_settled", "namespace"),
        },
        native_types=tuple(OWNERS),
    ),
)
