"""Which Kubernetes types are read, and where each of their facts stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.kubernetes import pods, ray, reads
from collectors.kubernetes.names import ANY, Type, split, type_of
from collectors.kubernetes.tables import access, control_plane, fabric, gpu, mesh, policies, servers, supply, tenancy
from collectors.kubernetes.tables.operators import operator
from collectors.kubernetes.within import switch
from collectors.table import Const, Fact, Field, ObjectTable

POD_DOCS = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/"


def off(value: Any) -> bool:
    """A switch that is off unless it says true. Raises ValueError for what is none."""
    return switch(value, "a switch") is True


POD_FACTS: Mapping[str, Fact] = {
    "namespace": Field("context.namespace"),
    "controller": Field("item", reads.controller),
    "controller_id": Field(("item", "context"), reads.controller_id),
    "controller_uid": Field("item", reads.controller_uid),
    "pod_labels": Field("pod_meta.labels", reads.text_map, absent={}),
    "finished": Field("item.status.phase", lambda phase: phase in ("Succeeded", "Failed"), absent=False, source=POD_DOCS),
    "os": Field("pod.os.name", absent="linux", source=POD_DOCS),
    # NOTE: partial: what a pod asks of the host it asks for, whatever a serving runtime or a patch may add
    "host_pid": Field("pod.hostPID", off, absent=False, partial=True, source=POD_DOCS),
    "host_ipc": Field("pod.hostIPC", off, absent=False, partial=True, source=POD_DOCS),
    "host_network": Field("pod.hostNetwork", off, absent=False, partial=True, source=POD_DOCS),
    "host_users": Field("pod.hostUsers", lambda v: switch(v, "hostUsers") is not False, absent=True, source=POD_DOCS),
    "host_paths": Field("pod", pods.host_paths, partial=True),
    "containers": Field(("template", "pod_meta"), pods.containers, source=POD_DOCS),
    "sysctls": Field("pod.securityContext.sysctls[].name", absent=[], partial=True),
    "service_account": Field("pod", pods.service_account, source=POD_DOCS),
    "automount_token": Field("pod", lambda spec: spec.get("automountServiceAccountToken")),
    "projects_token": Field("pod", pods.projects_token),
    "runtime_class": Field("pod.runtimeClassName", str, absent=""),
    "accelerator": Field("template", lambda spec: pods.any_device(spec, pods.ACCELERATOR)),
    "rdma_settled": Field("template", pods.rdma_settled),
    "rdma": Field("template", lambda spec: pods.any_device(spec, pods.RDMA)),
    "pull_secrets": Field("pod.imagePullSecrets[].name", absent=[]),
    "secret_refs": Field("template", pods.secret_refs),
    "networks": Field("pod_meta", pods.networks),
    **access.POD_FACTS,
    **fabric.POD_FACTS,
    **mesh.POD_FACTS,
    **servers.POD_FACTS,
    **supply.POD_FACTS,
    **tenancy.POD_FACTS,
}


def workload(
    native_type: str,
    plural: str,
    pod: str = "spec.template.spec",
    *,
    namespaced: bool = True,
    more: Mapping[str, Fact] | None = None,
) -> ObjectTable:
    """A type that makes pods."""
    return ObjectTable("workload", native_type, plural, {**POD_FACTS, **(more or {})}, namespaced=namespaced, pod=pod)


ARGO = "spec.templates"


def ray_job(prefix: str) -> str:
    """Pods of a RayJob spec: those of its cluster, and the submitter."""
    return f"{ray.ray_pods(f'{prefix}.rayClusterSpec')} + submitter={prefix}.submitterPodTemplate.spec"


WORKLOADS: tuple[ObjectTable, ...] = (
    # NOTE: in the order of ownership. A live listing skips what is owned by something that it has listed before.
    workload("argoproj.io/v1alpha1/CronWorkflow", "cronworkflows", ARGO),
    workload("argoproj.io/v1alpha1/Workflow", "workflows", ARGO),
    workload("argoproj.io/v1alpha1/WorkflowTemplate", "workflowtemplates", ARGO),
    workload("argoproj.io/v1alpha1/ClusterWorkflowTemplate", "clusterworkflowtemplates", ARGO, namespaced=False),
    workload("ray.io/v1/RayCronJob", "raycronjobs", ray_job("spec.jobTemplate")),
    workload("ray.io/v1/RayJob", "rayjobs", ray_job("spec")),
    workload("ray.io/v1/RayService", "rayservices", ray.ray_pods("spec.rayClusterConfig")),
    workload("ray.io/v1/RayCluster", "rayclusters", ray.ray_pods("spec")),
    workload("trainer.kubeflow.org/v1alpha1/TrainJob", "trainjobs", "spec.podTemplate.spec"),
    workload("jobset.x-k8s.io/v1alpha2/JobSet", "jobsets", "spec.replicatedJobs[name].template.spec.template.spec"),
    workload("kubeflow.org/v1/PyTorchJob", "pytorchjobs", "spec.pytorchReplicaSpecs.*.template.spec"),
    workload("kubeflow.org/v1/TFJob", "tfjobs", "spec.tfReplicaSpecs.*.template.spec"),
    workload("kubeflow.org/v1/MPIJob", "mpijobs", "spec.mpiReplicaSpecs.*.template.spec"),
    workload("kubeflow.org/v1/XGBoostJob", "xgboostjobs", "spec.xgbReplicaSpecs.*.template.spec"),
    workload("kubeflow.org/v1/PaddleJob", "paddlejobs", "spec.paddleReplicaSpecs.*.template.spec"),
    workload("kubeflow.org/v1/JAXJob", "jaxjobs", "spec.jaxReplicaSpecs.*.template.spec"),
    workload("batch.volcano.sh/v1alpha1/Job", "jobs", "spec.tasks[name].template.spec"),
    workload(
        "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet",
        "leaderworkersets",
        "leader=spec.leaderWorkerTemplate.leaderTemplate.spec + worker=spec.leaderWorkerTemplate.workerTemplate.spec",
    ),
    workload("serving.kserve.io/v1beta1/InferenceService", "inferenceservices", "spec"),
    workload(
        "machinelearning.seldon.io/v1/SeldonDeployment", "seldondeployments", "spec.predictors[name].componentSpecs[name].spec"
    ),
    workload("kubeflow.org/v1/Notebook", "notebooks"),
    workload("agents.x-k8s.io/v1alpha1/Sandbox", "sandboxes", "spec.podTemplate.spec"),
    workload("sparkoperator.k8s.io/v1beta2/SparkApplication", "sparkapplications", "spec.driver + spec.executor"),
    workload("serving.knative.dev/v1/Service", "services"),
    workload("batch/v1/CronJob", "cronjobs", "spec.jobTemplate.spec.template.spec"),
    workload("batch/v1/Job", "jobs"),
    workload("apps/v1/Deployment", "deployments"),
    workload("apps/v1/StatefulSet", "statefulsets"),
    workload("apps/v1/DaemonSet", "daemonsets", more=gpu.DAEMON_FACTS),
    workload("apps/v1/ReplicaSet", "replicasets"),
    workload("v1/ReplicationController", "replicationcontrollers"),
    workload("v1/PodTemplate", "podtemplates", "template.spec"),
    workload("v1/Pod", "pods", "spec"),
)

RBAC_FACTS: Mapping[str, Fact] = {
    "rules": Field("item", reads.rules),
    "aggregated": Field("item.aggregationRule", bool, absent=False),
    "selectors": Field("item.aggregationRule.clusterRoleSelectors", absent=[]),
    "system": Field("item", reads.bootstrapped),
}
GRANT_FACTS: Mapping[str, Fact] = {
    "subjects": Field("item", reads.subjects),
    "role": Field(("item.roleRef.kind", "item.roleRef.name"), lambda kind, name: {"kind": str(kind), "name": str(name)}),
    "system": Field("item", reads.bootstrapped),
}
RAY_FACTS: Mapping[str, Fact] = {
    "service_type": Const("ray"),
    "namespace": Field("context.namespace"),
    "auth_mode": Field("item", ray.ray_auth),
    "version": Field("item", ray.ray_version),
    "suspended": Field("item.spec.suspend", off, absent=False),
    **servers.RAY_FACTS,
}


OTHERS: tuple[ObjectTable, ...] = (
    ObjectTable(
        "namespace",
        "v1/Namespace",
        "namespaces",
        {
            "pod_security_enforce": Field("item", reads.pod_security),
            "system": Field("item.metadata.name", lambda n: n in reads.SYSTEM_NAMESPACES),
            **access.NAMESPACE_FACTS,
            **gpu.NAMESPACE_FACTS,
            **mesh.NAMESPACE_FACTS,
            **tenancy.NAMESPACE_FACTS,
        },
        namespaced=False,
    ),
    ObjectTable(
        "identity",
        "v1/ServiceAccount",
        "serviceaccounts",
        {
            "identity_type": Const("service_account"),
            "namespace": Field("context.namespace"),
            "automount_token": Field(
                "item.automountServiceAccountToken",
                lambda v: v is not False,
                absent=True,
                source="https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/",
            ),
            "cloud_identity": Field("item", reads.cloud_identity),
            "created": Field("item.metadata.creationTimestamp", str),
            **supply.ACCOUNT_FACTS,
        },
    ),
    ObjectTable("permission_set", "rbac.authorization.k8s.io/v1/Role", "roles", RBAC_FACTS),
    ObjectTable("permission_set", "rbac.authorization.k8s.io/v1/ClusterRole", "clusterroles", RBAC_FACTS, namespaced=False),
    ObjectTable(
        "grant",
        "rbac.authorization.k8s.io/v1/RoleBinding",
        "rolebindings",
        {**GRANT_FACTS, "namespace": Field("context.namespace"), "cluster_wide": Const(False)},
    ),
    ObjectTable(
        "grant",
        "rbac.authorization.k8s.io/v1/ClusterRoleBinding",
        "clusterrolebindings",
        {**GRANT_FACTS, "namespace": Const(""), "cluster_wide": Const(True)},
        namespaced=False,
    ),
    ObjectTable(
        "endpoint",
        "v1/Service",
        "services",
        {
            "endpoint_type": Const("service"),
            "namespace": Field("context.namespace"),
            "service_type": Field(
                "item.spec.type", str, absent="ClusterIP", source="https://kubernetes.io/docs/concepts/services-networking/service/"
            ),
            "selector": Field("item.spec.selector", reads.text_map, absent={}),
            "external_ips": Field("item.spec.externalIPs", list, absent=[]),
            "node_port": Field("item.spec", reads.node_port),
            "ports": Field("item.spec", reads.ports),
            "source_ranges": Field("item", reads.source_ranges),
            "internet_facing": Field("item", reads.internet_facing),
            **servers.SERVICE_FACTS,
        },
    ),
    ObjectTable(
        "endpoint",
        "networking.k8s.io/v1/Ingress",
        "ingresses",
        {
            "endpoint_type": Const("ingress"),
            "namespace": Field("context.namespace"),
            "tls": Field("item", reads.ingress_tls),
            "hosts_without_tls": Field("item", reads.hosts_without_tls),
            **fabric.INGRESS_FACTS,
            **servers.INGRESS_FACTS,
        },
    ),
    ObjectTable(
        "node",
        "v1/Node",
        "nodes",
        {
            "kubelet_version": Field("item.status.nodeInfo.kubeletVersion", reads.stated),
            "runtime_version": Field("item.status.nodeInfo.containerRuntimeVersion", reads.stated),
            "instance_type": Field('item.metadata.labels."node.kubernetes.io/instance-type"', str),
            "accelerator": Field("item", reads.node_accelerator),
            "container_host": Const(True),
            **gpu.NODE_FACTS,
            **mesh.NODE_FACTS,
            **tenancy.NODE_FACTS,
        },
        namespaced=False,
    ),
    ObjectTable(
        "data_store",
        "storage.k8s.io/v1/StorageClass",
        "storageclasses",
        {
            "store_type": Const("volume_class"),
            "provisioner": Field("item.provisioner", str),
            "encrypted": Field("item", reads.volume_encrypted),
            "key_id": Field("item", reads.volume_key),
            **tenancy.CLASS_FACTS,
        },
        namespaced=False,
    ),
    ObjectTable(
        "configuration",
        "v1/ConfigMap",
        "configmaps",
        {
            "configuration_type": Const("config_map"),
            "namespace": Field("context.namespace"),
            "settings": Field("item.kept.settings", absent={}),
            "credentials": Field("item.kept.credentials", absent=[]),
        },
    ),
    ObjectTable(
        "credential",
        "v1/Secret",
        "secrets",
        {
            "credential_type": Const("service_account_token"),
            "namespace": Field("context.namespace"),
            "owner": Field(("item", "context"), reads.token_owner),
            "created": Field("item.metadata.creationTimestamp", str),
            "expires": Const("never"),
            "active": Field('item.metadata.labels."kubernetes.io/legacy-token-invalid-since"', lambda _: False, absent=True),
        },
        keep=reads.token_secret,
    ),
    ObjectTable(
        "configuration",
        "v1/Secret",
        "secrets",
        {
            "configuration_type": Const("secret"),
            "namespace": Field("context.namespace"),
            "applied_copies": Field("item", reads.applied_copies),
        },
    ),
    ObjectTable("model_service", "ray.io/v1/RayCluster", "rayclusters", RAY_FACTS, keep=ray.has_ray_cluster),
    ObjectTable("model_service", "ray.io/v1/RayJob", "rayjobs", RAY_FACTS, keep=ray.has_ray_cluster),
    ObjectTable("model_service", "ray.io/v1/RayService", "rayservices", RAY_FACTS, keep=ray.has_ray_cluster),
    operator("operator.tigera.io/v1/Installation", "installations", "Calico"),
    operator("storage.k8s.io/v1/CSIDriver", "csidrivers", "CSI driver"),
    *access.TABLES,
    *control_plane.TABLES,
    *fabric.TABLES,
    *gpu.TABLES,
    *mesh.TABLES,
    *policies.TABLES,
    *servers.TABLES,
    *supply.TABLES,
    *tenancy.TABLES,
)

CLUSTER = ObjectTable(
    "cluster",
    "kubernetes/v1/Cluster",
    "",
    {"version": Field("item.version", str), **control_plane.CLUSTER_FACTS},
    namespaced=False,
)
"""The cluster itself: no object of the API; a live scan makes one of it (`live.py`)."""
DEBUGGED = ObjectTable(
    "workload",
    "kubernetes/v1/DebuggedPod",
    "",
    {name: POD_FACTS[name] for name in ("namespace", "containers", "ephemeral_running")},
    pod="spec",
)
"""A pod that is its owner's template but for ephemeral containers: all else of it is judged on the owner. No type of the API."""
TABLES: tuple[ObjectTable, ...] = (*OTHERS, *WORKLOADS, CLUSTER, DEBUGGED)
MADE = frozenset({CLUSTER.native_type, DEBUGGED.native_type})
"""Types that the API does not have, so that nothing lists them."""
POD_LIKE: frozenset[Type] = frozenset(type_of(t.native_type) for t in WORKLOADS)
"""Types that make pods: what one of them owns is judged on it."""


def by_type() -> dict[Type, tuple[ObjectTable, ...]]:
    """The tables of each type. The version does not matter: an old one has the same facts, or tells too little and gives gaps."""
    found: dict[Type, tuple[ObjectTable, ...]] = {}
    for table in (*OTHERS, *WORKLOADS):
        kind = Type(split(table.native_type)[0], ANY) if table.plural == ANY else type_of(table.native_type)
        found[kind] = (*found.get(kind, ()), table)
    return found
