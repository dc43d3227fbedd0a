# METADATA
# title: IPC_LOCK goes with an RDMA device
# description: >-
#   IPC_LOCK is the one capability that RDMA needs, to pin memory, and it is outside the Pod Security baseline: it must
#   come with a request for a fabric device. Of init and ephemeral containers the pod's requests count. Where a claim, or a
#   resource of a name of its own, may be such a device, it is unknown.
# related_resources:
#   - https://docs.nvidia.com/networking/display/kubernetes25100/index.html
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator, containers]
#   fail_on: [rdma_settled]
#   controls:
#     cis_k8s_1.12: ["5.2.9"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1611]
#     pci_dss_4: ["2.2.6"]
#     soc2: [CC6.1]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-010]
#       fix:
#         manifest: Remove IPC_LOCK, or request rdma/<pool> in the same container.
#     argoproj.io/v1alpha1/Workflow: *same
#     argoproj.io/v1alpha1/WorkflowTemplate: *same
#     argoproj.io/v1alpha1/ClusterWorkflowTemplate: *same
#     ray.io/v1/RayCronJob: *same
#     ray.io/v1/RayJob: *same
#     ray.io/v1/RayService: *same
#     ray.io/v1/RayCluster: *same
#     trainer.kubeflow.org/v1alpha1/TrainJob: *same
#     jobset.x-k8s.io/v1alpha2/JobSet: *same
#     kubeflow.org/v1/PyTorchJob: *same
#     kubeflow.org/v1/TFJob: *same
#     kubeflow.org/v1/MPIJob: *same
#     kubeflow.org/v1/XGBoostJob: *same
#     kubeflow.org/v1/PaddleJob: *same
#     kubeflow.org/v1/JAXJob: *same
#     batch.volcano.sh/v1alpha1/Job: *same
#     leaderworkerset.x-k8s.io/v1/LeaderWorkerSet: *same
#     serving.kserve.io/v1beta1/InferenceService: *same
#     machinelearning.seldon.io/v1/SeldonDeployment: *same
#     kubeflow.org/v1/Notebook: *same
#     agents.x-k8s.io/v1alpha1/Sandbox: *same
#     sparkoperator.k8s.io/v1beta2/SparkApplication: *same
#     serving.knative.dev/v1/Service: *same
#     batch/v1/CronJob: *same
#     batch/v1/Job: *same
#     apps/v1/Deployment: *same
#     apps/v1/StatefulSet: *same
#     apps/v1/DaemonSet: *same
#     apps/v1/ReplicaSet: *same
#     v1/ReplicationController: *same
#     v1/PodTemplate: *same
#     v1/Pod: *same
package policies.workload.ipc_lock_without_rdma

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

locks(w) if {
	some c in w.containers
	"IPC_LOCK" in c.cap_add
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	locks(w)
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "an RDMA device",
	"actual": workload.found(c, "cap_add", "IPC_LOCK"),
	"message": sprintf("%s adds IPC_LOCK and asks for no RDMA device", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	"IPC_LOCK" in c.cap_add
	c.rdma == false
}
