"""Names that the Kubernetes derivations share, and what to answer where an object was not seen."""

from __future__ import annotations

from scanner.derive.world import World
from scanner.model import Gap, Reason, Resource

POD_LIKE = (
    "argoproj.io/v1alpha1/CronWorkflow",
    "argoproj.io/v1alpha1/Workflow",
    "argoproj.io/v1alpha1/WorkflowTemplate",
    "argoproj.io/v1alpha1/ClusterWorkflowTemplate",
    "ray.io/v1/RayCronJob",
    "ray.io/v1/RayJob",
    "ray.io/v1/RayService",
    "ray.io/v1/RayCluster",
    "trainer.kubeflow.org/v1alpha1/TrainJob",
    "jobset.x-k8s.io/v1alpha2/JobSet",
    "kubeflow.org/v1/PyTorchJob",
    "kubeflow.org/v1/TFJob",
    "kubeflow.org/v1/MPIJob",
    "kubeflow.org/v1/XGBoostJob",
    "kubeflow.org/v1/PaddleJob",
    "kubeflow.org/v1/JAXJob",
    "batch.volcano.sh/v1alpha1/Job",
    "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet",
    "serving.kserve.io/v1beta1/InferenceService",
    "machinelearning.seldon.io/v1/SeldonDeployment",
    "kubeflow.org/v1/Notebook",
    "agents.x-k8s.io/v1alpha1/Sandbox",
    "sparkoperator.k8s.io/v1beta2/SparkApplication",
    "serving.knative.dev/v1/Service",
    "batch/v1/CronJob",
    "batch/v1/Job",
    "apps/v1/Deployment",
    "apps/v1/StatefulSet",
    "apps/v1/DaemonSet",
    "apps/v1/ReplicaSet",
    "v1/ReplicationController",
    "v1/PodTemplate",
    "v1/Pod",
)
"""Types that make pods."""
POLICY = "networking.k8s.io/v1/NetworkPolicy"
ACCOUNT = "v1/ServiceAccount"
NAMESPACE = "v1/Namespace"
POD = "v1/Pod"
NODE = "v1/Node"
CLUSTER = "kubernetes/v1/Cluster"
"""The live cluster itself."""
DEBUGGED = "kubernetes/v1/DebuggedPod"
"""The ephemeral containers of a pod that is judged on its owner otherwise."""
ROLE = "rbac.authorization.k8s.io/v1/Role"
CLUSTER_ROLE = "rbac.authorization.k8s.io/v1/ClusterRole"
ROLE_BINDING = "rbac.authorization.k8s.io/v1/RoleBinding"
CLUSTER_ROLE_BINDING = "rbac.authorization.k8s.io/v1/ClusterRoleBinding"
SYSTEM_NAMESPACES = frozenset({"kube-system", "kube-public", "kube-node-lease"})
"""Of the platform: https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/"""
NOT_HERE = "Scan the live cluster, or add the manifests that are missing."


def from_manifests(resource: Resource) -> bool:
    """The resource was read from a file: what else is in the cluster was not seen."""
    return bool(resource.where.file)


def unseen(world: World, resource: Resource, native_type: str, what: str, namespace: str = "") -> Gap | None:
    """Why the absence of `what` proves nothing; None where all objects of the type (in the namespace) were seen."""
    if from_manifests(resource):
        return Gap(Reason.NOT_OFFERED, "", NOT_HERE, f"{what} is not in these manifests")
    return world.listing(native_type, resource.scope, namespace)


def object_id(scope: str, kind: str, namespace: str, name: str) -> str:
    """The canonical id of an object; `kind` is `Kind` or `Kind.group`."""
    return f"k8s/{scope}/{kind}/{namespace}/{name}"


def namespace_of(resource: Resource) -> str:
    """The namespace that a resource is in, or is; empty for cluster-wide ones."""
    return resource.name if resource.native_type == NAMESPACE else str(resource.facts.get("namespace") or "")
