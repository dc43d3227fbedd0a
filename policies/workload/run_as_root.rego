# METADATA
# title: Containers run as a user other than root
# description: >-
#   Root in the container and a flaw of the GPU driver or toolkit together are root on the node. The container's own
#   setting beats the pod's; with runAsNonRoot the kubelet refuses an image whose user is root. Pods with a user namespace
#   of their own (hostUsers: false) and pods for Windows are not judged.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
#   - https://kubernetes.io/docs/tasks/configure-pod-container/security-context/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator, os, host_users]
#   fail_on: [containers]
#   controls:
#     cis_k8s_1.12: ["5.2.7"]
#     cis_gke_1.9: ["4.6.3"]
#     cis_aks_1.8: ["4.6.2"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1611]
#     pci_dss_4: ["2.2.6"]
#     soc2: [CC6.1]
#     pss: [restricted]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-012]
#       fix:
#         manifest: "securityContext: {runAsNonRoot: true, runAsUser: 1000} on the pod."
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
package policies.workload.run_as_root

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	w.os != "windows"
	w.host_users == true
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "a user other than 0",
	"actual": workload.found(c, "run_as_user", c.run_as_user),
	"message": sprintf("%s runs as user 0", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.run_as_user == 0
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "runAsNonRoot: true",
	"actual": workload.found(c, "run_as_non_root", c.run_as_non_root),
	"message": sprintf("%s may run as root: runAsNonRoot is not true", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.run_as_non_root == false
	c.run_as_user != 0
}
