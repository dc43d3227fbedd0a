# METADATA
# title: High priority classes of tenants are bounded by a quota
# description: >-
#   A pod of a high class pushes those of others off their nodes, and pods of system-node-critical and system-cluster-
#   critical are not evicted themselves; outside kube-system anyone may name them unless the admission of quotas limits
#   it. A quota of the namespace whose scope is the class bounds how much may run with it. A class that never preempts is
#   not judged, nor are workloads of the platform. `from` is the value at which a class counts as high.
# related_resources:
#   - https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
#   - https://kubernetes.io/docs/concepts/policy/resource-quotas/#resource-quota-per-priorityclass
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator, in_platform, priority]
#   fail_on: [priority_preempts, priority_bounded]
#   params:
#     from: 1000000
#   controls:
#     nist_800_53_r5: [SC-6]
#     mitre_attack_containers: [T1499]
#     soc2: [A1.1]
#   tags: [kubernetes, tenancy]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-MT-003]
#       fix:
#         manifest: "ResourceQuota: spec.scopeSelector.matchExpressions: [{scopeName: PriorityClass, operator: In, values: [NAME]}]"
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
package policies.workload.priority_scoped

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	w.in_platform == false
	w.priority >= input.params["workload.priority_scoped"].from
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	w.priority_preempts == false
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	w.priority_bounded == true
}

fail contains {
	"id": w.id, "fact": "priority_bounded", "expected": "a quota for the class", "actual": w.priority,
	"message": sprintf("its priority of %d preempts others, and no quota of its namespace bounds the class", [w.priority]),
} if {
	some w in input.resources.workload
	w.id in scope
	w.priority_preempts == true
	w.priority_bounded == false
}
