# METADATA
# title: vLLM servers with a key are reached only by the paths that it protects
# description: >-
#   The key is asked for under /v1, /v2, /inference and /cohere alone: /invocations answers the same questions
#   without, and /pause or /update_weights stop or change the model. So a key is not enough where a way leads to every
#   path: an ingress or route has to let through nothing else. Services and other namespaces reach every path. Servers
#   are recognised by image and command line; one in an image of another name that its own entrypoint starts is not
#   seen.
# related_resources:
#   - https://docs.vllm.ai/en/stable/usage/security/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [servers]
#   fail_on: [server_doors, server_doors_settled]
#   controls:
#     nist_800_53_r5: [IA-2, AC-3]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["8.2.1"]
#     soc2: [CC6.1, CC6.6]
#   tags: [kubernetes, server]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-AI-006]
#       fix:
#         manifest: "A ClusterIP Service, a network policy for the ingress controller alone, and an ingress or route for /v1."
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
package policies.ai.vllm_paths

import data.policies.lib.servers
import rego.v1

guarded := {"/v1", "/v2", "/inference", "/cohere", "/health"}

scope contains w.id if {
	some w in input.resources.workload
	some s in w.servers
	s.product == "vllm"
	s.auth in {"key", "unknown"}
}

fail contains {
	"id": w.id, "fact": "server_doors", "expected": "paths under /v1 alone", "actual": servers.shown(d),
	"message": sprintf("vLLM in %s is reached %s by paths that its key does not protect", [d.container, reached]),
} if {
	some w in input.resources.workload
	w.id in scope
	some d in w.server_doors
	d.product == "vllm"
	d.auth == "key"
	inside := {path | some path in d.paths; some start in guarded; startswith(path, start)}
	every_path := {path | some path in d.paths}
	count(every_path - inside) > 0
	reached := servers.reached(d)
}
