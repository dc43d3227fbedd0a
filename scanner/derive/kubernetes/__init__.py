"""The derivations over Kubernetes resources, live or from manifests."""

from __future__ import annotations

from collections.abc import Mapping

from scanner.derive.kubernetes import (
    access,
    admission,
    control_plane,
    exposure,
    fabric,
    gpu,
    mesh,
    network,
    roles,
    servers,
    supply,
    takeover,
    tenants,
)
from scanner.derive.kubernetes.types import (
    ACCOUNT,
    CLUSTER_ROLE,
    CLUSTER_ROLE_BINDING,
    NAMESPACE,
    POD_LIKE,
    POLICY,
    ROLE,
    ROLE_BINDING,
)
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Resource

RBAC = {
    ROLE: ("rules", "aggregated"),
    CLUSTER_ROLE: ("rules", "aggregated", "selectors"),
}
OPERATOR = dict.fromkeys((*roles.OPERATORS.values(), roles.CSI_DRIVER), ("uid", "operand_namespace", "product"))
POLICIES = {POLICY: ("namespace", "selector", "policy_types", "ingress", "egress")} | dict.fromkeys(network.FOREIGN, ("namespace",))
WORKLOAD_ROLE = ("namespace", "controller_id", "controller_uid", "containers", "accelerator", "pod_labels")


def has_workloads(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a namespace is in use."""
    return {"has_workloads": roles.has_workloads(namespace, world)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        ("ingress_isolated", "egress_isolated", "ingress_open_by", "egress_open_by", "metadata_reachable"),
        network.of_workload,
        needs=("namespace", "pod_labels", "host_network"),
        reads=POLICIES,
        native_types=POD_LIKE,
    ),
    Derivation(
        "workload",
        ("token_mounted", "account_bound", "cloud_identity"),
        access.of_workload,
        needs=("namespace", "service_account", "automount_token", "projects_token"),
        reads={
            ACCOUNT: ("automount_token", "cloud_identity"),
            ROLE_BINDING: ("subjects", "namespace", "role"),
            CLUSTER_ROLE_BINDING: ("subjects", "namespace", "role"),
        },
        native_types=POD_LIKE,
    ),
    Derivation(
        "workload",
        ("operator", "ai_role"),
        roles.of_workload,
        needs=WORKLOAD_ROLE,
        reads={**OPERATOR, NAMESPACE: ("system",), "v1/Node": ("container_host",)},
        native_types=POD_LIKE,
    ),
    Derivation(
        "namespace",
        ("default_deny_ingress", "default_deny_egress"),
        network.of_namespace,
        reads=POLICIES,
        native_types=(NAMESPACE,),
    ),
    Derivation(
        "namespace", ("has_workloads",), has_workloads, reads=dict.fromkeys(POD_LIKE, ("namespace",)), native_types=(NAMESPACE,)
    ),
    Derivation(
        "grant",
        ("rules", "role_exists", "rules_settled"),
        access.of_grant,
        needs=("role", "namespace"),
        reads=RBAC,
        native_types=(ROLE_BINDING, CLUSTER_ROLE_BINDING),
    ),
    *takeover.DERIVATIONS,
    *tenants.DERIVATIONS,
    *supply.DERIVATIONS,
    *control_plane.DERIVATIONS,
    *fabric.DERIVATIONS,
    *mesh.DERIVATIONS,
    *admission.DERIVATIONS,
    *exposure.DERIVATIONS,
    *servers.DERIVATIONS,
    *gpu.DERIVATIONS,
)
