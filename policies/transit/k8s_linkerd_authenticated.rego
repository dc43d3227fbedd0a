# METADATA
# title: Workloads in the Linkerd mesh take callers with an identity only
# description: >-
#   Mutual TLS of Linkerd is opportunistic: with the default policy all-unauthenticated it takes plain text from whoever
#   reaches the pod. The word of the pod goes before that of its namespace, then comes the control plane's default. A
#   Server in front of a port takes its place; authorizations that ask for a network only count as asking for nothing, and
#   those of single routes are not judged. Ports in skip-inbound-ports bypass the proxy altogether.
# related_resources:
#   - https://linkerd.io/2/reference/authorization-policy/
#   - https://linkerd.io/2/features/protocol-detection/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [mesh]
#   fail_on: [linkerd_open, linkerd_bypassed]
#   controls:
#     nist_800_53_r5: [SC-8]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, mesh]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-TLS-006]
#       fix:
#         manifest: "Annotation config.linkerd.io/default-inbound-policy: all-authenticated; remove config.linkerd.io/skip-inbound-ports."
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
package policies.transit.k8s_linkerd_authenticated

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	w.mesh == "linkerd"
}

fail contains {
	"id": w.id, "fact": "linkerd_open", "expected": false,
	"message": "it takes callers that prove nothing, in clear text",
} if {
	some w in input.resources.workload
	w.id in scope
	w.linkerd_open == true
}

fail contains {
	"id": w.id, "fact": "linkerd_bypassed", "expected": [],
	"message": sprintf("ports %s bypass the proxy", [concat(", ", w.linkerd_bypassed)]),
} if {
	some w in input.resources.workload
	w.id in scope
	count(w.linkerd_bypassed) > 0
}
