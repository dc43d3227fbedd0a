# METADATA
# title: Containers cannot write to their image
# description: >-
#   A writable root file system lets an attacker keep tools through a run of weeks. Ephemeral containers and pods for
#   Windows are not judged. Not part of the Pod Security Standards.
# related_resources:
#   - https://kubernetes.io/docs/tasks/configure-pod-container/security-context/
# custom:
#   severity: low
#   kind: workload
#   scope_on: [operator, os]
#   fail_on: [containers]
#   controls:
#     cis_k8s_1.12: ["5.6.3"]
#     cis_gke_1.9: ["4.6.3"]
#     cis_aks_1.8: ["4.6.2"]
#     nist_800_53_r5: [CM-7, SI-7]
#     mitre_attack_containers: [T1525]
#     pci_dss_4: ["11.5.2"]
#     soc2: [CC6.8]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-014]
#       fix:
#         manifest: "securityContext: {readOnlyRootFilesystem: true}, with emptyDir volumes for /tmp and for what HF_HOME, TORCH_HOME and the like name."
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
package policies.workload.read_only_root

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
}

fail contains {
	"id": w.id, "fact": "containers", "expected": true,
	"actual": workload.found(c, "read_only_root", c.read_only_root),
	"message": sprintf("%s can write to its root file system", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.type in {"container", "init"}
	c.read_only_root == false
}
