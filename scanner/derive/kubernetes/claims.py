"""Devices by dynamic resource allocation: who may have admin access, and what is shared among tenants."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scanner.derive.kubernetes import tenants
from scanner.derive.kubernetes.types import NAMESPACE, NOT_HERE, from_manifests, namespace_of
from scanner.derive.three import Truth
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

CLUSTER = "kubernetes/v1/Cluster"
CLAIMS = tuple(f"resource.k8s.io/v1/{kind}" for kind in ("ResourceClaim", "ResourceClaimTemplate", "DeviceClass"))
NEW_LABEL = "resource.kubernetes.io/admin-access"
RENAMED = (1, 34)
"""https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#admin-access"""
SHARED = frozenset({"TimeSlicing", "MPS"})
DRIVERS = frozenset({"gpu.nvidia.com", "compute-domain.nvidia.com"})
"""Drivers whose settings are known: https://github.com/NVIDIA/k8s-dra-driver-gpu/tree/main/api/nvidia.com/resource/v1beta1"""


def dra_admin(namespace: Resource, world: World) -> Truth:
    """Whether claims in a namespace may have admin access: the label's old name counts before 1.34 alone."""
    labels = world.fact(namespace, "admin_labels")
    if isinstance(labels, Gap):
        return labels
    if NEW_LABEL in labels or not labels:
        return bool(labels)
    version = world.memo(f"kubernetes.version {namespace.scope}", lambda: _version(namespace.scope, world))
    found = re.match(r"v?(\d+)\.(\d+)", version)
    if found is None:
        return Gap(
            Reason.NOT_OFFERED, "", NOT_HERE, f"{labels[0]} counts before Kubernetes 1.34 alone, and the version is not known"
        )
    return (int(found[1]), int(found[2])) < RENAMED


def _version(scope: str, world: World) -> str:
    found = (r.facts.get("version") for r in world.all("cluster", scope) if r.native_type == CLUSTER)
    return next((str(v) for v in found if v), "")


def sharing(claim: Resource, world: World) -> JSON | Gap:
    """The strategies by which a claim or class shares devices; a gap where the settings of some driver are not known."""
    settings = world.fact(claim, "device_settings")
    if isinstance(settings, Gap):
        return settings
    found = sorted({s["strategy"] for s in settings if s["driver"] in DRIVERS and s["strategy"] in SHARED})
    foreign = sorted({s["driver"] for s in settings if s["driver"] not in DRIVERS})
    unknown = Gap(Reason.NOT_OFFERED, "", "Look its settings up.", f"the settings of {', '.join(foreign)} are not known")
    return found or (unknown if foreign else [])


def usable_by(claim: Resource, world: World) -> JSON | Gap:
    """The tenants that may use it: of a class all, since it is of no namespace."""
    if claim.native_type != CLAIMS[2]:
        owner = tenants.tenant_of(namespace_of(claim), claim.scope, world)
        return owner if isinstance(owner, Gap) else [owner] if owner else []
    key = f"kubernetes.class_users {claim.scope}"
    found, gap = world.memo(key, lambda: _everyone(claim.scope, world))
    if len(found) > 1:
        return found
    if from_manifests(claim):
        return gap or Gap(Reason.NOT_OFFERED, "", NOT_HERE, "not all namespaces are in these manifests")
    return gap or found


def _everyone(scope: str, world: World) -> tuple[list[JSON], Gap | None]:
    """Every tenant that is known, and why there may be more."""
    found = [tenants.tenant_of(r.name, scope, world) for r in world.all("namespace", scope) if r.native_type == NAMESPACE]
    gap = next((t for t in found if isinstance(t, Gap)), None) or world.listing(NAMESPACE, scope)
    return sorted({t for t in found if isinstance(t, str) and t != tenants.PLATFORM}), gap


def of_namespace(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a namespace lets claims have admin access."""
    return {"dra_admin": dra_admin(namespace, world)}


def of_claim(claim: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a claim or class shares, and who may use it."""
    return {"sharing": sharing(claim, world), "usable_by": usable_by(claim, world)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "namespace",
        ("dra_admin",),
        of_namespace,
        needs=("admin_labels",),
        reads={CLUSTER: ("version",)},
        native_types=(NAMESPACE,),
    ),
    Derivation(
        "device_claim",
        ("sharing", "usable_by"),
        of_claim,
        needs=("device_settings", "namespace"),
        reads=tenants.READS,
        native_types=CLAIMS,
    ),
)
