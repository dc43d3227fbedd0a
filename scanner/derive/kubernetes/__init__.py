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
    neighbours,
    network,
    pod_security,
    quotas,
    ray,
    rendezvous,
    roles,
    servers,
    supply,
    takeover,
    telemetry,
    tenants,
    volumes,
)
from scanner.derive.kubernetes.gpu_stack import DEPLOYMENT
from scanner.derive.kubernetes.types import (
    ACCOUNT,
    CLUSTER_ROLE,
    CLUSTER_ROLE_BINDING,
    DEBUGGED,
    NAMESPACE,
    POD_LIKE,
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
WORKLOAD_ROLE = ("namespace", "controller_id", "controller_uid", "containers", "accelerator", "pod_labels")


def has_workloads(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a namespace is in use."""
    return {"has_workloads": roles.has_workloads(namespace, world)}


def no_operator(_pod: Resource, _world: World) -> Mapping[str, JSON | Gap]:
    """No operator asks for the containers that somebody adds to a running pod."""
    return {"operator": ""}


DERIVATIONS: tuple[Derivation, ...] = (
    *network.DERIVATIONS,
    *rendezvous.DERIVATIONS,
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
        reads={
            **OPERATOR,
            NAMESPACE: ("system", "owner"),
            "v1/Node": ("container_host",),
            roles.DEVICE_CLASS: ("claim_type",),
            DEPLOYMENT: ("containers", "namespace"),
        },
        native_types=POD_LIKE,
    ),
    Derivation("workload", ("operator",), no_operator, native_types=(DEBUGGED,)),
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
    *pod_security.DERIVATIONS,
    *tenants.DERIVATIONS,
    *neighbours.DERIVATIONS,
    *quotas.DERIVATIONS,
    *volumes.DERIVATIONS,
    *supply.DERIVATIONS,
    *control_plane.DERIVATIONS,
    *fabric.DERIVATIONS,
    *mesh.DERIVATIONS,
    *admission.DERIVATIONS,
    *exposure.DERIVATIONS,
    *servers.DERIVATIONS,
    *ray.DERIVATIONS,
    *telemetry.DERIVATIONS,
    *gpu.DERIVATIONS,
)
