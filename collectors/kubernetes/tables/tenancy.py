"""Queues, quotas, priorities, volumes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.kubernetes import mounts, queues, storage
from collectors.kubernetes.names import Type, metadata, object_id, owner_of
from collectors.kubernetes.reads import SYSTEM_NAMESPACES, notes
from collectors.kubernetes.within import mapping
from collectors.table import MISSING, Const, Fact, Field, ObjectTable

POD_DOCS = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/"
VOLUME_DOCS = "https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/persistent-volume-v1/"
CLAIM_DOCS = "https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/persistent-volume-claim-v1/"
PRIORITY_DOCS = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/priority-class-v1/"

POD_FACTS: Mapping[str, Fact] = {
    "priority_class": Field("pod.priorityClassName", str, absent="", source=POD_DOCS),
    "accelerators": Field("template", queues.accelerators, source=POD_DOCS),
    "accelerators_settled": Field("template", queues.accelerators_settled, source=POD_DOCS),
    "queue": Field(("item", "pod_meta", "pod"), queues.queue),
    "volume_mounts": Field("template", mounts.volume_mounts, source=POD_DOCS),
}
"""More facts of everything that makes pods."""
NODE_FACTS: Mapping[str, Fact] = {
    "taints": Field("item", queues.taints),
    "gpu_sharing": Field("item", queues.gpu_sharing),
}
"""More facts of nodes."""
NAMESPACE_FACTS: Mapping[str, Fact] = {"owner": Field("item", queues.owner)}
"""More facts of namespaces."""

# ---- where pods run


def placed(item: Mapping[str, Any]) -> bool:
    """Whether a pod takes part of a node that others may have as well: not agents of the nodes, nor what has ended."""
    owner = owner_of(item)
    agent = owner is not None and owner.type in (Type("apps", "DaemonSet"), Type("", "Node"))
    ended = mapping(item.get("status")).get("phase") in ("Succeeded", "Failed")
    system = metadata(item).get("namespace") in SYSTEM_NAMESPACES
    return bool(mapping(item.get("spec")).get("nodeName")) and not agent and not ended and not system


PLACEMENT = ObjectTable(
    "placement",
    "v1/Pod",
    "pods",
    {
        "node": Field("item.spec.nodeName", str),
        "namespace": Field("context.namespace"),
        "runtime_class": Field("pod.runtimeClassName", str, absent="", source=POD_DOCS),
        "accelerators": Field("pod", queues.accelerators),
        "accelerators_settled": Field("pod", queues.accelerators_settled),
    },
    pod="spec",
    keep=placed,
    owned=True,
)
"""Where a pod runs, whoever it is judged on."""

# ---- volumes


def claim(item: Mapping[str, Any], context: Mapping[str, str]) -> str:
    """Canonical id of the claim that a volume is bound to, empty for none."""
    found = mapping(mapping(item.get("spec")).get("claimRef"))
    if not found.get("name"):
        return ""
    return object_id(
        context["scope"], Type("", "PersistentVolumeClaim"), str(found.get("namespace") or "default"), str(found["name"])
    )


def volume(item: Mapping[str, Any], context: Mapping[str, str]) -> str:
    """Canonical id of the volume that a claim is bound to, empty where it is not yet."""
    name = mapping(item.get("spec")).get("volumeName")
    return object_id(context["scope"], Type("", "PersistentVolume"), "", str(name)) if name else ""


def storage_class(item: Mapping[str, Any]) -> Any:
    """Name of the class; a claim that names none takes the default one, and one of the empty name takes none."""
    named = mapping(item.get("spec")).get("storageClassName")
    if named is not None:
        return str(named)
    return MISSING if item.get("kind") == "PersistentVolumeClaim" else ""


BACKEND: Mapping[str, Fact] = {
    "driver": Field("item", storage.driver),
    "backend_type": Field("item", storage.backend_type),
    "encrypted_in_transit": Field("item", mounts.in_transit),
    "read_only": Field("item", mounts.read_only),
}
CLASS_FACTS: Mapping[str, Fact] = {k: v for k, v in BACKEND.items() if k != "read_only"}
"""More facts of storage classes."""


def queue_table(native_type: str, plural: str, system: str, facts: Mapping[str, Fact], *, namespaced: bool = False) -> ObjectTable:
    """A type of queues."""
    return ObjectTable(
        "quota", native_type, plural, {"quota_type": Const("queue"), "queue_system": Const(system), **facts}, namespaced=namespaced
    )


TABLES: tuple[ObjectTable, ...] = (
    ObjectTable(
        "quota",
        "v1/ResourceQuota",
        "resourcequotas",
        {
            "quota_type": Const("resource_quota"),
            "namespace": Field("context.namespace"),
            "bounded": Field("item", queues.bounded),
            "scopes": Field("item", queues.scopes),
        },
    ),
    ObjectTable(
        "quota",
        "v1/LimitRange",
        "limitranges",
        {
            "quota_type": Const("limit_range"),
            "namespace": Field("context.namespace"),
            "limited": Field("item", queues.limits),
        },
    ),
    ObjectTable(
        "quota",
        "scheduling.k8s.io/v1/PriorityClass",
        "priorityclasses",
        {
            "quota_type": Const("priority_class"),
            "priority": Field("item", queues.priority),
            "global_default": Field("item.globalDefault", bool, absent=False, source=PRIORITY_DOCS),
            "preempts": Field("item.preemptionPolicy", lambda v: v != "Never", absent=True, source=PRIORITY_DOCS),
        },
        namespaced=False,
    ),
    queue_table(
        "kueue.x-k8s.io/v1beta2/ClusterQueue",
        "clusterqueues",
        "kueue",
        {"namespaces_selected": Field("item", queues.namespaces), "bounded": Field("item", queues.covered)},
    ),
    queue_table(
        "kueue.x-k8s.io/v1beta2/LocalQueue",
        "localqueues",
        "kueue",
        {"namespace": Field("context.namespace"), "cluster_queue": Field(("item", "context"), queues.cluster_queue)},
        namespaced=True,
    ),
    queue_table("scheduling.volcano.sh/v1beta1/Queue", "queues", "volcano", {}),
    queue_table("scheduling.run.ai/v2/Queue", "queues", "kai", {}),
    ObjectTable(
        "data_store",
        "v1/PersistentVolume",
        "persistentvolumes",
        {
            "store_type": Const("volume"),
            **BACKEND,
            "backend_store": Field("item", storage.store),
            "backend_path": Field("item", storage.path),
            "backend_point": Field("item", storage.point),
            "access_modes": Field("item.spec.accessModes", list, absent=[], source=VOLUME_DOCS),
            "claim": Field(("item", "context"), claim),
            "storage_class": Field("item", storage_class, source=VOLUME_DOCS),
            "provisioned": Field("item", lambda item: bool(notes(item).get("pv.kubernetes.io/provisioned-by"))),
        },
        namespaced=False,
    ),
    ObjectTable(
        "data_store",
        "v1/PersistentVolumeClaim",
        "persistentvolumeclaims",
        {
            "store_type": Const("volume_claim"),
            "namespace": Field("context.namespace"),
            "volume": Field(("item", "context"), volume),
            "access_modes": Field("item.spec.accessModes", list, absent=[], source=CLAIM_DOCS),
            "storage_class": Field("item", storage_class, source=CLAIM_DOCS),
        },
    ),
    PLACEMENT,
)
"""Of queues, quotas and storage, and of where pods run."""
