# METADATA
# title: The exporter of GPU metrics has no open profiling
# description: >-
#   Up to 4.8.2 the exporter's /debug/pprof answers anyone, which costs its memory and shows it (CVE-2026-47483). The
#   bulletin names 4.8.2 both as affected and as fixed: it is taken as affected. The version is the second part of the
#   image's tag.
# related_resources:
#   - https://github.com/NVIDIA/product-security/tree/main/2026/5857
# custom:
#   severity: low
#   kind: workload
#   scope_on: [servers]
#   fail_on: [advisories, advisories_settled]
#   controls:
#     nist_800_53_r5: [SI-2]
#     mitre_attack_containers: [T1613]
#     soc2: [CC7.1]
#   tags: [kubernetes, server]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-AI-016]
#       fix:
#         manifest: "A later image, and a network policy for Prometheus alone."
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
package policies.ai.dcgm_exporter_version

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	some s in w.servers
	s.product == "dcgm-exporter"
}

fail contains {
	"id": w.id, "fact": "advisories", "expected": sprintf("%s or later", [a.fixed]), "actual": a.version,
	"message": sprintf("dcgm-exporter %s in %s has %s", [a.version, a.container, concat(", ", a.ids)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some a in w.advisories
	a.product == "dcgm-exporter"
}
