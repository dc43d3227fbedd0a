# METADATA
# title: GPU containers bound their memory and ask for CPU
# description: >-
#   A GPU container without a memory limit can push its neighbours out of memory and end runs of weeks; without a CPU
#   request it is the first to starve. Pod-level resources count, and a CPU limit stands for a request. Defaults that a
#   LimitRange would fill in do not: they change behind the author's back. A CPU limit is not demanded.
# related_resources:
#   - https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator, containers]
#   fail_on: [containers]
#   controls:
#     nist_800_53_r5: [SC-5, SC-6]
#     mitre_attack_containers: [T1499, T1496]
#     soc2: [CC7.2, A1.1]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-019]
#       fix:
#         manifest: Set resources.limits.memory, resources.requests.memory and resources.requests.cpu.
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
package policies.workload.gpu_limits

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

uses(c) if c.accelerator == true

uses(c) if c.claims == true

asks(w) if {
	some c in w.containers
	uses(c)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	asks(w)
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "a memory limit",
	"actual": workload.found(c, "memory_limit", c.memory_limit),
	"message": sprintf("%s asks for an accelerator and has no memory limit", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	uses(c)
	c.memory_limit == false
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "a CPU request",
	"actual": workload.found(c, "cpu_request", c.cpu_request),
	"message": sprintf("%s asks for an accelerator and for no CPU", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	uses(c)
	c.cpu_request == false
}
