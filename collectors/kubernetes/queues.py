"""What bounds or ranks the use of a cluster: quotas, limits, priorities, queues."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collectors.kubernetes.names import Type, metadata, object_id
from collectors.kubernetes.pods import ACCELERATOR, Spec, raw_containers, requested
from collectors.kubernetes.reads import labels, notes
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.table import MISSING

Item = Mapping[str, Any]


# ---- what bounds


def bounded(item: Item) -> list[str]:
    """What a ResourceQuota bounds, as it is written there.

    https://kubernetes.io/docs/concepts/policy/resource-quotas/
    """
    return sorted(str(name) for name in mapping(mapping(item.get("spec")).get("hard")))


def scopes(item: Item) -> list[dict[str, Any]]:
    """To which pods alone a ResourceQuota applies; a scope without an operator is `Exists`."""
    spec = mapping(item.get("spec"))
    plain = [{"name": str(name), "operator": "Exists", "values": []} for name in sequence(spec.get("scopes"))]
    chosen = mappings(mapping(spec.get("scopeSelector")).get("matchExpressions"))
    return plain + [
        {
            "name": str(e.get("scopeName") or ""),
            "operator": str(e.get("operator") or ""),
            "values": sorted(map(str, sequence(e.get("values")))),
        }
        for e in chosen
    ]


def limits(item: Item) -> list[str]:
    """Types of objects for which a LimitRange sets a default or a most. https://kubernetes.io/docs/concepts/policy/limit-range/."""
    entries = mappings(mapping(item.get("spec")).get("limits"))
    return sorted(
        {str(e.get("type") or "") for e in entries if any(mapping(e.get(k)) for k in ("default", "defaultRequest", "max"))}
    )


def priority(item: Item) -> int:
    """The value of a PriorityClass. https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/priority-class-v1/."""
    value = item["value"]
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("the value is no number")
    return value


# ---- queues

QUEUE = "kueue.x-k8s.io/queue-name"
KAI = ("kai.scheduler/queue", "runai/queue")
VOLCANO = "scheduling.volcano.sh/queue-name"
SCHEDULER = "volcano"


def namespaces(item: Item) -> str:
    """Whose workloads a ClusterQueue admits: without a selector nobody's, with an empty one everybody's.

    https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#namespace-selector
    """
    selector = mapping(item.get("spec")).get("namespaceSelector")
    if selector is None:
        return "none"
    if not isinstance(selector, dict):
        raise TypeError("the selector is no mapping")
    return "some" if selector.get("matchLabels") or selector.get("matchExpressions") else "all"


def covered(item: Item) -> list[str]:
    """Resources for which a ClusterQueue has quotas."""
    groups = mappings(mapping(item.get("spec")).get("resourceGroups"))
    return sorted({str(name) for group in groups for name in sequence(group.get("coveredResources"))})


def cluster_queue(item: Item, context: Mapping[str, str]) -> Any:
    """Canonical id of the ClusterQueue that a LocalQueue hands its workloads to."""
    name = mapping(item.get("spec")).get("clusterQueue")
    return object_id(context["scope"], Type("kueue.x-k8s.io", "ClusterQueue"), "", str(name)) if name else MISSING


def queue(item: Item, pod_meta: Item | None, pod: Item | None) -> str:
    """The queue that a workload waits in, as `system/name`; empty for none.

    https://kueue.sigs.k8s.io/docs/tasks/run/jobs/, https://volcano.sh/en/docs/queue/,
    https://github.com/NVIDIA/KAI-Scheduler/tree/main/docs/queues
    """
    job = mapping(mapping(mapping(item.get("spec")).get("jobTemplate")).get("metadata"))
    metas = (metadata(item), job, mapping(pod_meta))
    marks = {**{k: v for m in metas for k, v in mapping(m.get("labels")).items()}}
    said = {**{k: v for m in metas for k, v in mapping(m.get("annotations")).items()}}
    if marks.get(QUEUE):
        return f"kueue/{marks[QUEUE]}"
    kai = next((marks[key] for key in KAI if marks.get(key)), None)
    if kai is not None:
        return f"kai/{kai}"
    spec = mapping(item.get("spec"))
    mine = item.get("kind") == "Job" and str(item.get("apiVersion", "")).startswith("batch.volcano.sh/")
    named = said.get(VOLCANO) or marks.get(VOLCANO) or (spec.get("queue") if mine else None)
    if named or mine or mapping(pod).get("schedulerName") == SCHEDULER:
        return f"volcano/{named or 'default'}"
    return ""


# ---- of pods and nodes


def accelerators(spec: Spec) -> list[str]:
    """Accelerators that a pod asks for, by the name of the resource; what a claim asks for is not among them."""
    return sorted(n for n in requested(*(c.get("resources") for _, c in raw_containers(spec))) if ACCELERATOR.match(n))


def accelerators_settled(spec: Spec) -> Any:
    """True where no claim asks for devices beside."""
    claims = sequence(spec.get("resourceClaims")) or any(
        sequence(mapping(c.get("resources")).get("claims")) for _, c in raw_containers(spec)
    )
    return MISSING if claims else True


SHARED = re.compile(r"(?P<resource>nvidia\.com/(?:gpu|mig-[a-z0-9.]+))\.sharing-strategy")
GKE = ("cloud.google.com/gke-gpu-sharing-strategy", "cloud.google.com/gke-max-shared-clients-per-gpu")


def gpu_sharing(item: Item) -> Any:
    """How the GPUs of a node are shared: of each resource the strategy and how many may use one.

    Labels of GPU Feature Discovery and of GKE: https://github.com/NVIDIA/k8s-device-plugin#shared-access-to-gpus,
    https://docs.cloud.google.com/kubernetes-engine/docs/concepts/timesharing-gpus. Before `sharing-strategy` replicas meant time-slicing.
    """
    marks = {str(k): str(v) for k, v in labels(item).items()}
    found: dict[str, dict[str, Any]] = {}
    for key, value in marks.items():
        named = SHARED.fullmatch(key)
        if named:
            found[named["resource"]] = {"strategy": value, "replicas": _number(marks.get(f"{named['resource']}.replicas"))}
    if "nvidia.com/gpu" not in found and "nvidia.com/gpu.replicas" in marks:
        found["nvidia.com/gpu"] = {"strategy": "time-slicing", "replicas": _number(marks["nvidia.com/gpu.replicas"])}
    if marks.get(GKE[0]):
        strategy = "time-slicing" if marks[GKE[0]] == "time-sharing" else marks[GKE[0]]
        found["nvidia.com/gpu"] = {"strategy": strategy, "replicas": _number(marks.get(GKE[1]))}
    if not found and _unlabelled(item, marks):
        return MISSING
    return [
        {"resource": name, **found[name]}
        for name in sorted(found)
        if found[name]["strategy"] != "none" and found[name]["replicas"] > 1
    ]


def _unlabelled(item: Item, marks: Mapping[str, str]) -> bool:
    """NVIDIA's devices without a word of GPU Feature Discovery, or of GKE, which labels what is shared."""
    capacity = mapping(mapping(item.get("status")).get("capacity"))
    mine = not capacity or any(str(k).startswith("nvidia.com/") and str(v) != "0" for k, v in capacity.items())
    return mine and "cloud.google.com/gke-accelerator" not in marks


def _number(text: str | None) -> int:
    """How many share one device; more than one where it is not told."""
    return int(text) if text is not None else 2


def taints(item: Item) -> list[dict[str, str]]:
    """The taints of a node. https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/."""
    found = mappings(mapping(item.get("spec")).get("taints"))
    return [{key: str(t.get(key) or "") for key in ("key", "value", "effect")} for t in found]


def owner(item: Item) -> str:
    """User whose Kubeflow profile a namespace is, empty for none.

    https://www.kubeflow.org/docs/components/central-dash/profiles/
    """
    return str(notes(item).get("owner") or "") if labels(item).get("app.kubernetes.io/part-of") == "kubeflow-profile" else ""
