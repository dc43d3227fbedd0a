"""What a workload is there for: its operator, and its part in the AI factory."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scanner.derive import roles
from scanner.derive.kubernetes import tenants
from scanner.derive.kubernetes.gpu_stack import DAEMON_SET, DEPLOYMENT, NETWORK_OPERATOR, stack
from scanner.derive.kubernetes.gpu_stack import OPERATOR as GPU_OPERATOR
from scanner.derive.kubernetes.types import NAMESPACE, POD_LIKE, from_manifests, namespace_of, object_id, unseen
from scanner.derive.three import Truth
from scanner.derive.words import EXPLICIT, by_name
from scanner.derive.world import World
from scanner.derive.zones import zone_of
from scanner.model import JSON, Gap, Resource

OPERATORS: Mapping[str, str] = {
    "ClusterPolicy.nvidia.com": "nvidia.com/v1/ClusterPolicy",
    "NVIDIADriver.nvidia.com": "nvidia.com/v1alpha1/NVIDIADriver",
    "GPUCluster.nvidia.com": "nvidia.com/v1alpha1/GPUCluster",
    "NicClusterPolicy.mellanox.com": "mellanox.com/v1alpha1/NicClusterPolicy",
    "NicNodePolicy.mellanox.com": "mellanox.com/v1alpha1/NicNodePolicy",
    "SriovOperatorConfig.sriovnetwork.openshift.io": "sriovnetwork.openshift.io/v1/SriovOperatorConfig",
    "Installation.operator.tigera.io": "operator.tigera.io/v1/Installation",
}
"""Owners of node agents: `Kind.group` → native type."""
VALIDATES = frozenset({"ClusterPolicy.nvidia.com", "GPUCluster.nvidia.com"})
"""Owners of pods as well: those by which the GPU Operator tries out what it has installed have the owner of its validator.
https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/cmd/nvidia-validator/main.go"""
DEPLOYED_BY: Mapping[str, str] = {
    "NVIDIADriver.nvidia.com": GPU_OPERATOR,
    "GPUCluster.nvidia.com": GPU_OPERATOR,
    "NicClusterPolicy.mellanox.com": NETWORK_OPERATOR,
    "NicNodePolicy.mellanox.com": NETWORK_OPERATOR,
}
"""Owners that do not always say where their agents live → the operator beside which they do."""
HOMES: Mapping[str, str] = {"Installation.operator.tigera.io": "calico-system"}
"""Owners whose agents live in one namespace whatever is asked for.
https://docs.tigera.io/calico/latest/getting-started/kubernetes/quickstart"""
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
    "azure-ip-masq-agent": "Azure CNI",
    "antrea-agent": "Antrea",
    "cilium-envoy": "Cilium",
    "kube-ovn-cni": "Kube-OVN",
    "ovs-ovn": "Kube-OVN",
    "kube-router": "kube-router",
    "weave-net": "Weave Net",
    "kube-multus-ds": "Multus",
    "kube-sriov-cni-ds": "SR-IOV CNI",
    "kube-sriov-device-plugin": "SR-IOV device plugin",
    "rdma-shared-dp-ds": "RDMA shared device plugin",
    "aws-efa-k8s-device-plugin": "EFA device plugin",
    "aws-efa-k8s-device-plugin-daemonset": "EFA device plugin",
    "anetd": "GKE Dataplane V2",
    "netd": "GKE networking",
    "gke-metadata-server": "GKE metadata server",
    "ip-masq-agent": "ip-masq-agent",
}
"""Node agents of the platform in kube-system, which have no owner object: only who may write to kube-system can name one so."""
CSI_AGENTS: Mapping[str, str] = {
    "ebs-csi-node": "ebs.csi.aws.com",
    "efs-csi-node": "efs.csi.aws.com",
    "fsx-csi-node": "fsx.csi.aws.com",
    "csi-azuredisk-node": "disk.csi.azure.com",
    "csi-azurefile-node": "file.csi.azure.com",
    "pdcsi-node": "pd.csi.storage.gke.io",
    "csi-blob-node": "blob.csi.azure.com",
    "csi-nfs-node": "nfs.csi.k8s.io",
    "csi-smb-node": "smb.csi.k8s.io",
    "filestore-node": "filestore.csi.storage.gke.io",
    "gcsfusecsi-node": "gcsfuse.csi.storage.gke.io",
    "lustre-csi-node": "lustre.csi.storage.gke.io",
    "openstack-cinder-csi-nodeplugin": "cinder.csi.openstack.org",
    "s3-csi-node": "s3.csi.aws.com",
}
"""Node agents of storage drivers → the CSIDriver object that says that the driver is installed."""
DEVICE_CLASS = "resource.k8s.io/v1/DeviceClass"
DRA_AGENTS: Mapping[str, str] = {
    "nvidia-dra-driver-gpu": "nvidia-dra-driver-gpu-kubelet-plugin",
    "dra-driver-nvidia-gpu": "dra-driver-nvidia-gpu-kubelet-plugin",
}
"""Namespace that the driver's own instructions make → the node agent in it, installed without the GPU Operator.
https://github.com/NVIDIA/k8s-dra-driver-gpu/tree/main/deployments/helm"""
DRA_CLASSES = ("gpu.nvidia.com", "compute-domain-daemon.nvidia.com")
"""Classes of devices of which one at least is there where the driver is installed: only administrators make them."""
PLATFORM = "kube-system"

TRAINING = frozenset(
    f"kubeflow.org/v1/{kind}" for kind in ("PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob", "Notebook")
) | {"trainer.kubeflow.org/v1alpha1/TrainJob", "ray.io/v1/RayJob", "ray.io/v1/RayCronJob", "ray.io/v1/RayCluster"}
"""Types that train, whatever they ask for."""
INFERENCE = frozenset(
    {
        "serving.kserve.io/v1beta1/InferenceService",
        "machinelearning.seldon.io/v1/SeldonDeployment",
        "ray.io/v1/RayService",
        "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet",
    }
)
"""Types that serve."""
SERVING = re.compile(
    r"(?:^|[/_.-])(?:vllm|tritonserver|text-generation-inference|sglang|ollama|llama[._-]cpp|torchserve|lmdeploy|nim)(?:[-_:/@]|$)"
)
"""Images that serve models."""


def operator(pod: Resource, world: World) -> str | Gap:
    """The operator that owns a workload. An owner that is not in the snapshot, or is another object of that name, exempts nothing."""
    owner = world.fact(pod, "controller_id")
    if isinstance(owner, Gap):
        return owner
    if not owner:
        return _agent(pod, world)
    kind = str(owner).removeprefix(f"k8s/{pod.scope}/").split("/")[0]
    if kind == "Node":
        return _static(pod, str(owner), world)
    native = OPERATORS.get(kind)
    agent = pod.native_type == DAEMON_SET or (kind in VALIDATES and pod.native_type == "v1/Pod")
    if native is None or not agent:
        return ""
    found = world.get("operator", str(owner))
    if found is None:
        return unseen(world, pod, native, f"its owner {kind.partition('.')[0]}") or ""
    facts = {name: world.fact(found, name) for name in ("uid", "operand_namespace", "product")} | {
        "named": world.fact(pod, "controller_uid")
    }
    gap = next((f for f in facts.values() if isinstance(f, Gap)), None)
    if gap is not None:
        return gap
    same = facts["uid"] == facts["named"] and (facts["uid"] or from_manifests(pod))
    both = facts["uid"] and facts["named"]
    if not same and (both or not from_manifests(pod)):
        return ""
    told = facts["operand_namespace"] or HOMES.get(kind, "")
    home: Truth = told == namespace_of(pod) if told else _at_home(pod, DEPLOYED_BY.get(kind, ""), world)
    return home if isinstance(home, Gap) else str(facts["product"]) if home else ""


def _at_home(pod: Resource, product: str, world: World) -> Truth:
    """Whether a workload lives where its operator runs: anyone may write an owner that he knows into what he makes."""
    if not product:
        return not _of_a_tenant(pod, world)
    parts, gap = stack(pod.scope, world)
    homes = {namespace_of(p.workload) for p in parts if p.product == product}
    if homes or from_manifests(pod):
        return not homes or namespace_of(pod) in homes
    return unseen(world, pod, DEPLOYMENT, f"the Deployment of {product}") or gap or False


def _of_a_tenant(pod: Resource, world: World) -> bool:
    """Whether a workload is known to be in a tenant's namespace."""
    owner = tenants.tenant_of(namespace_of(pod), pod.scope, world)
    return not isinstance(owner, Gap) and owner != tenants.PLATFORM


def _agent(pod: Resource, world: World) -> str | Gap:
    """Node agents of the platform, where the snapshot has kube-system itself, and that of the DRA driver."""
    if pod.native_type != DAEMON_SET:
        return ""
    if DRA_AGENTS.get(namespace_of(pod)) == pod.name:
        return _dra_driver(pod, world)
    if namespace_of(pod) != PLATFORM:
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


def _dra_driver(pod: Resource, world: World) -> str | Gap:
    """The node agent of NVIDIA's DRA driver, where the snapshot has a class of devices of it, and the namespace is no tenant's."""
    if _of_a_tenant(pod, world):
        return ""
    ids = (object_id(pod.scope, "DeviceClass.resource.k8s.io", "", name) for name in DRA_CLASSES)
    if any(world.get("device_claim", i) is not None for i in ids):
        return "NVIDIA DRA driver"
    return unseen(world, pod, DEVICE_CLASS, f"the DeviceClass {DRA_CLASSES[0]}") or ""


def _static(pod: Resource, node: str, world: World) -> str | Gap:
    """Static pods of the control plane: the kubelet's own, mirrored into kube-system."""
    if pod.native_type != "v1/Pod" or namespace_of(pod) != PLATFORM:
        return ""
    if world.get("node", node) is None:
        return unseen(world, pod, "v1/Node", "its node") or ""
    return "kubelet (static pod)"


def workload_role(pod: Resource, world: World) -> str:
    """The part of the AI factory: what a label or a declared zone says; else what type, image or owner tell; else as of anything."""
    general = str(roles.facts(pod, world)["ai_role"])
    zone = zone_of(pod, world)
    labelled = EXPLICIT in by_name(pod.tags)
    return general if labelled or (zone and zone.ai_role) else _by_kind(pod, world) or general


def _by_kind(pod: Resource, world: World) -> str:
    """The role that type, image or owner tell whatever the pods ask for; empty where they do not."""
    containers = world.fact(pod, "containers")
    serving = not isinstance(containers, Gap) and any(SERVING.search(c["image"]) for c in containers)
    if serving or pod.native_type in INFERENCE:
        return "inference"
    if pod.native_type in TRAINING:
        return "training"
    owner = operator(pod, world)
    if owner and not isinstance(owner, Gap):
        return "management"
    # NOTE: roles.py asks types only whether they serve; a DaemonSet with accelerators looks after them
    return "management" if pod.native_type == "apps/v1/DaemonSet" and pod.facts.get("accelerator") is True else ""


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a workload is there for."""
    return {"operator": operator(pod, world), "ai_role": workload_role(pod, world)}


def _occupied(world: World, scope: str) -> set[str]:
    return {namespace_of(pod) for pod in world.all("workload", scope)}


def has_workloads(namespace: Resource, world: World) -> bool | Gap:
    """Whether some workload lives in a namespace."""
    if namespace.name in world.memo(f"kubernetes.occupied {namespace.scope}", lambda: _occupied(world, namespace.scope)):
        return True
    gaps = (unseen(world, namespace, native, "a workload of it", namespace.name) for native in POD_LIKE)
    return next((g for g in gaps if g is not None), False)
