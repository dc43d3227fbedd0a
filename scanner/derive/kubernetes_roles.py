"""What a workload is there for: its operator, and its part in the AI factory."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scanner.derive.kubernetes_types import NAMESPACE, POD_LIKE, from_manifests, namespace_of, object_id, unseen, zone_of
from scanner.derive.world import World
from scanner.model import JSON, Gap, Resource

OPERATORS: Mapping[str, str] = {
    "ClusterPolicy.nvidia.com": "nvidia.com/v1/ClusterPolicy",
    "NVIDIADriver.nvidia.com": "nvidia.com/v1alpha1/NVIDIADriver",
    "GPUCluster.nvidia.com": "nvidia.com/v1alpha1/GPUCluster",
    "NicClusterPolicy.mellanox.com": "mellanox.com/v1alpha1/NicClusterPolicy",
    "SriovOperatorConfig.sriovnetwork.openshift.io": "sriovnetwork.openshift.io/v1/SriovOperatorConfig",
    "Installation.operator.tigera.io": "operator.tigera.io/v1/Installation",
}
"""Owners of node agents: `Kind.group` → native type."""
CSI_DRIVER = "storage.k8s.io/v1/CSIDriver"
AGENTS: Mapping[str, str] = {
    "kube-proxy": "kube-proxy",
    "aws-node": "Amazon VPC CNI",
    "calico-node": "Calico",
    "canal": "Canal",
    "cilium": "Cilium",
    "kube-flannel-ds": "Flannel",
    "kindnet": "kindnet",
    "azure-cns": "Azure CNI",
}
"""Node agents of the platform in kube-system, which have no owner object: only who may write to kube-system can name one so."""
CSI_AGENTS: Mapping[str, str] = {
    "ebs-csi-node": "ebs.csi.aws.com",
    "efs-csi-node": "efs.csi.aws.com",
    "fsx-csi-node": "fsx.csi.aws.com",
    "csi-azuredisk-node": "disk.csi.azure.com",
    "csi-azurefile-node": "file.csi.azure.com",
    "pdcsi-node": "pd.csi.storage.gke.io",
}
"""Node agents of storage drivers → the CSIDriver object that says that the driver is installed."""
PLATFORM = "kube-system"

TRAINING = frozenset(
    f"{group}/{kind}"
    for group, kinds in {
        "batch/v1": "Job CronJob",
        "batch.volcano.sh/v1alpha1": "Job",
        "kubeflow.org/v1": "PyTorchJob TFJob MPIJob XGBoostJob PaddleJob JAXJob Notebook",
        "trainer.kubeflow.org/v1alpha1": "TrainJob",
        "jobset.x-k8s.io/v1alpha2": "JobSet",
        "ray.io/v1": "RayJob RayCronJob RayCluster",
        "argoproj.io/v1alpha1": "Workflow CronWorkflow WorkflowTemplate ClusterWorkflowTemplate",
        "v1": "Pod PodTemplate",
    }.items()
    for kind in kinds.split()
)
"""Types that train where they ask for accelerators."""
ALWAYS_TRAINING = frozenset(t for t in TRAINING if t.startswith(("kubeflow.org", "trainer.kubeflow.org", "ray.io")))
ALWAYS_INFERENCE = frozenset({"serving.kserve.io/v1beta1/InferenceService", "machinelearning.seldon.io/v1/SeldonDeployment", "ray.io/v1/RayService"})
SERVING = re.compile(r"(?:^|[/_.-])(?:vllm|tritonserver|text-generation-inference|sglang|ollama|llama[._-]cpp|torchserve|lmdeploy|nim)(?:[-_:/@]|$)")
"""Images that serve models."""


def operator(pod: Resource, world: World) -> str | Gap:
    """The operator that owns a workload. An owner that is not in the snapshot, or is another object of that name, exempts nothing."""
    owner = world.fact(pod, "controller_id")
    if isinstance(owner, Gap):
        return owner
    if not owner:
        return _agent(pod, world)
    kind = str(owner).split("/")[2]
    if kind == "Node":
        return _static(pod, str(owner), world)
    native = OPERATORS.get(kind)
    if native is None or pod.native_type != "apps/v1/DaemonSet":
        return ""
    found = world.get("operator", str(owner))
    if found is None:
        return unseen(world, pod, native, f"its owner {kind.partition('.')[0]}") or ""
    facts = {name: world.fact(found, name) for name in ("uid", "operand_namespace", "product")} | {"named": world.fact(pod, "controller_uid")}
    gap = next((f for f in facts.values() if isinstance(f, Gap)), None)
    if gap is not None:
        return gap
    same = facts["uid"] == facts["named"] and (facts["uid"] or from_manifests(pod))
    both = facts["uid"] and facts["named"]
    home = facts["operand_namespace"] in ("", namespace_of(pod))
    return str(facts["product"]) if home and (same or (from_manifests(pod) and not both)) else ""


def _agent(pod: Resource, world: World) -> str | Gap:
    """Node agents of the platform, where the snapshot has kube-system itself."""
    if pod.native_type != "apps/v1/DaemonSet" or namespace_of(pod) != PLATFORM:
        return ""
    driver = CSI_AGENTS.get(pod.name)
    if pod.name not in AGENTS and driver is None:
        return ""
    if world.get("namespace", object_id(pod.scope, "Namespace", "", PLATFORM)) is None:
        return unseen(world, pod, NAMESPACE, PLATFORM) or ""
    if driver is None:
        return AGENTS[pod.name]
    if world.get("operator", object_id(pod.scope, "CSIDriver.storage.k8s.io", "", driver)) is None:
        return unseen(world, pod, CSI_DRIVER, f"the CSIDriver {driver}") or ""
    return f"CSI driver {driver}"


def _static(pod: Resource, node: str, world: World) -> str | Gap:
    """Static pods of the control plane: the kubelet's own, mirrored into kube-system."""
    if pod.native_type != "v1/Pod" or namespace_of(pod) != PLATFORM:
        return ""
    if world.get("node", node) is None:
        return unseen(world, pod, "v1/Node", "its node") or ""
    return "kubelet (static pod)"


def workload_role(pod: Resource, world: World) -> str | Gap:
    """The part of the AI factory: a declared zone's, else from type, accelerators and image."""
    declared = zone_of(pod, world)[1] or _by_kind(pod, world)
    if declared:
        return declared
    accelerator = world.fact(pod, "accelerator")
    if isinstance(accelerator, Gap):
        return accelerator
    if accelerator is not True:
        return "none"
    if pod.native_type == "apps/v1/DaemonSet":
        return "management"
    return "training" if pod.native_type in TRAINING else "inference"


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a workload is there for."""
    return {"operator": operator(pod, world), "ai_role": workload_role(pod, world), "zone": zone_of(pod, world)[0]}


def _by_kind(pod: Resource, world: World) -> str:
    """The role that type, image or owner tell whatever the pods ask for; empty where they do not."""
    containers = world.fact(pod, "containers")
    serving = not isinstance(containers, Gap) and any(SERVING.search(c["image"]) for c in containers)
    if serving or pod.native_type in ALWAYS_INFERENCE:
        return "inference"
    if pod.native_type in ALWAYS_TRAINING:
        return "training"
    owner = operator(pod, world)
    return "management" if owner and not isinstance(owner, Gap) else ""


RANK = ("training", "inference", "data", "management", "fabric")


def _namespaces(world: World, scope: str) -> dict[str, str]:
    """Namespace → the foremost role of its workloads (`none` where they have none): every namespace with workloads is in it."""
    found: dict[str, str] = {}
    for pod in world.all("workload", scope):
        role = world.fact(pod, "ai_role")
        known = role if isinstance(role, str) and role in RANK else "none"
        best = found.get(namespace_of(pod), "none")
        if best == "none" or (known != "none" and RANK.index(known) < RANK.index(best)):
            best = known
        found[namespace_of(pod)] = best
    return found


def namespaces(world: World, scope: str) -> dict[str, str]:
    """The index, made once a world."""
    return world.memo(f"kubernetes.namespaces {scope}", lambda: _namespaces(world, scope))


def has_workloads(namespace: Resource, world: World) -> bool | Gap:
    """Whether some workload lives in a namespace."""
    if namespace.name in namespaces(world, namespace.scope):
        return True
    gaps = (unseen(world, namespace, native, "a workload of it", namespace.name) for native in POD_LIKE)
    return next((g for g in gaps if g is not None), False)


def other_role(resource: Resource, world: World) -> str | Gap:
    """The part of the AI factory of anything but a workload: its zone's, else that of the workloads around it."""
    declared = zone_of(resource, world)[1]
    if declared:
        return declared
    if resource.kind == "model_service":
        return "inference" if resource.native_type in ALWAYS_INFERENCE else "training"
    if resource.kind == "node":
        accelerator = world.fact(resource, "accelerator")
        return accelerator if isinstance(accelerator, Gap) else ("training" if accelerator else "none")
    if resource.kind == "endpoint" and resource.facts.get("selector"):
        return _selected_role(resource, world)
    return namespaces(world, resource.scope).get(namespace_of(resource), "none")


def _selected_role(service: Resource, world: World) -> str:
    """The role of the workloads that a Service forwards to."""
    pods = world.memo(f"kubernetes.pods {service.scope}", lambda: _by_namespace(world, service.scope)).get(namespace_of(service), [])
    selector = service.facts["selector"].items()
    roles = {role for labels, role in pods if selector <= labels.items()}
    return next((r for r in RANK if r in roles), "none")


def _by_namespace(world: World, scope: str) -> dict[str, list[tuple[dict[str, str], str]]]:
    found: dict[str, list[tuple[dict[str, str], str]]] = {}
    for pod in world.all("workload", scope):
        labels, role = world.fact(pod, "pod_labels"), world.fact(pod, "ai_role")
        if not isinstance(labels, Gap) and isinstance(role, str):
            found.setdefault(namespace_of(pod), []).append((labels, role))
    return found


def of_other(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Role and zone of anything but a workload."""
    return {"ai_role": other_role(resource, world), "zone": zone_of(resource, world)[0]}
