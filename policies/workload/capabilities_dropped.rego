# METADATA
# title: Containers drop all capabilities
# description: >-
#   The default set holds NET_RAW, with which a pod forges packets of its neighbours. Drop ALL, and add back
#   NET_BIND_SERVICE at most; IPC_LOCK may come back in a container with an RDMA device, and is unknown where a claim or a
#   resource of a name of its own may be one. Pods for Windows are not judged.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator, os]
#   fail_on: [containers, rdma_settled]
#   controls:
#     cis_k8s_1.12: ["5.2.8", "5.2.9"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1611, T1557]
#     pci_dss_4: ["2.2.6"]
#     soc2: [CC6.1]
#     pss: [restricted]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-011]
#       fix:
#         manifest: "securityContext: {capabilities: {drop: [ALL]}} on every container."
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
package policies.workload.capabilities_dropped

import data.policies.lib.workload
import rego.v1

# NOTE: the admission plugin wants the literal ALL
dropped(c) := count([d | some d in c.cap_drop; d == "ALL"])

excessive(_, cap) if count({cap} - {"NET_BIND_SERVICE", "IPC_LOCK"}) > 0

excessive(c, cap) if {
	cap == "IPC_LOCK"
	c.rdma == false
}

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	w.os != "windows"
}

fail contains {
	"id": w.id, "fact": "containers", "expected": ["ALL"],
	"actual": workload.found(c, "cap_drop", c.cap_drop),
	"message": sprintf("%s does not drop all capabilities", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	dropped(c) == 0
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "NET_BIND_SERVICE at most",
	"actual": workload.found(c, "cap_add", cap),
	"message": sprintf("%s adds %s back", [workload.title(c), cap]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	some cap in c.cap_add
	excessive(c, cap)
}
