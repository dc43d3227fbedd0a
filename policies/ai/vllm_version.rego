# METADATA
# title: vLLM is of a version without known ways to run foreign code
# description: >-
#   Versions before 0.22.0 run code or let callers past their key, those before 0.18.0 run the code of a model
#   although they were told not to, and up to 0.31.0 servers that trust remote code run it for a caller of /tokenize.
#   The floors are dated data, and are compared with the tag of vLLM's own images: of a tag of somebody's own, of
#   NVIDIA's years and months and of a digest alone the version is unknown.
# related_resources:
#   - https://github.com/vllm-project/vllm/security/advisories
#   - https://docs.vllm.ai/en/stable/usage/security/
# custom:
#   severity: high
#   kind: workload
#   scope_on: [servers]
#   fail_on: [advisories, advisories_settled]
#   controls:
#     nist_800_53_r5: [SI-2, RA-5]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, server]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-AI-007]
#       fix:
#         manifest: "A later image."
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
package policies.ai.vllm_version

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	some s in w.servers
	s.product == "vllm"
}

fail contains {
	"id": w.id, "fact": "advisories", "expected": sprintf("%s or later", [a.fixed]), "actual": a.version,
	"message": sprintf("vLLM %s in %s has %s", [a.version, a.container, concat(", ", a.ids)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some a in w.advisories
	a.product == "vllm"
}
