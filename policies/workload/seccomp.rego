# METADATA
# title: Containers have a seccomp profile
# description: >-
#   Without a profile every system call is open, and with them more of the kernel and of the GPU driver. The pod has to
#   say so itself: whether a kubelet gives a default profile (seccompDefault) does not show in the API, so it does not
#   count. Privileged containers ignore seccomp and are judged by workload.privileged alone.
# related_resources:
#   - https://kubernetes.io/docs/tutorials/security/seccomp/
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator, os, containers]
#   fail_on: [containers]
#   controls:
#     cis_k8s_1.12: ["5.6.2", "4.2.14"]
#     cis_gke_1.9: ["4.6.2"]
#     nist_800_53_r5: [SC-39, CM-7]
#     mitre_attack_containers: [T1611, T1068]
#     pci_dss_4: ["2.2.6"]
#     soc2: [CC6.8]
#     pss: [baseline, restricted]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-013]
#       fix:
#         manifest: "securityContext: {seccompProfile: {type: RuntimeDefault}} on the pod."
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
package policies.workload.seccomp

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
	some c in w.containers
	c.privileged == false
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "RuntimeDefault or Localhost",
	"actual": workload.found(c, "seccomp", c.seccomp),
	"message": sprintf("%s runs without seccomp (Unconfined)", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.privileged == false
	c.seccomp == "Unconfined"
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "RuntimeDefault or Localhost",
	"actual": workload.found(c, "seccomp", c.seccomp),
	"message": sprintf("%s names no seccomp profile", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.privileged == false
	c.seccomp == ""
}
