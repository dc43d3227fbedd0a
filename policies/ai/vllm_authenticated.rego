# METADATA
# title: vLLM servers that others reach ask for a key
# description: >-
#   The OpenAI-compatible server listens everywhere and is open unless it gets --api-key or VLLM_API_KEY; a key from a
#   Secret or a variable counts. What counts is a way from outside the cluster or from other namespaces on which
#   neither vLLM nor a proxy, ingress or mesh asks who calls; a proxy in the pod counts for its own port. Development
#   endpoints (VLLM_SERVER_DEV_MODE) are open whatever the key. A key protects only /v1, /v2, /inference and /cohere,
#   which ai.vllm_paths judges. With --config, or a wrapper, the settings are unknown. Servers are recognised by image
#   and command line; one in an image of another name that its own entrypoint starts is not seen.
# related_resources:
#   - https://docs.vllm.ai/en/stable/usage/security/
# custom:
#   severity: high
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
#         manifest: "VLLM_API_KEY from a Secret, and a proxy that lets through only the paths that clients need."
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
package policies.ai.vllm_authenticated

import data.policies.lib.servers
import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	some s in w.servers
	s.product == "vllm"
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	every s in w.servers {
		quiet(s)
	}
}

quiet(s) if s.product != "vllm"

quiet(s) if s.listens == "loopback"

quiet(s) if {
	s.auth == "key"
	s.dev_mode == false
}

fail contains {
	"id": w.id, "fact": "server_doors", "expected": "a key, or a proxy that asks who calls", "actual": servers.shown(d),
	"message": sprintf("vLLM in %s asks for no key and is reached %s", [d.container, reached]),
} if {
	some w in input.resources.workload
	w.id in scope
	some d in w.server_doors
	d.product == "vllm"
	d.auth == "none"
	reached := servers.reached(d)
}

fail contains {
	"id": w.id, "fact": "server_doors", "expected": "no development endpoints", "actual": servers.shown(d),
	"message": sprintf("vLLM in %s has its development endpoints, which no key protects, and is reached %s", [d.container, reached]),
} if {
	some w in input.resources.workload
	w.id in scope
	some d in w.server_doors
	d.product == "vllm"
	d.dev_mode == true
	reached := servers.reached(d)
}
