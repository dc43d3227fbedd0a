# METADATA
# title: Model servers that others reach ask for a key
# description: >-
#   Ollama has no authentication at all, TGI, SGLang, llama.cpp and LMDeploy ask for a key only where they are given
#   one, NIM and TorchServe only where they are told so. What counts is a way from outside the cluster or from other
#   namespaces on which neither server nor proxy, ingress or mesh asks who calls; a proxy in the pod counts for its
#   own port. vLLM is judged by ai.vllm_authenticated; Triton has no authentication and is judged by
#   ai.triton_model_control. Ollama pulls models for whoever asks. OLLAMA_HOST=0.0.0.0 is what its image sets, and no
#   finding. Servers are recognised by image and command line; one in an image of another name that its own entrypoint
#   starts is not seen.
# related_resources:
#   - https://github.com/ollama/ollama/issues/1053
#   - https://huggingface.co/docs/text-generation-inference/reference/launcher
# custom:
#   severity: high
#   kind: workload
#   scope_on: [servers]
#   fail_on: [server_doors, server_doors_settled]
#   controls:
#     nist_800_53_r5: [IA-2]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["8.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, server]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-AI-010]
#       fix:
#         manifest: "A ClusterIP Service, a network policy, and a proxy in front that asks who calls; or the server's --api-key from a Secret."
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
package policies.ai.model_server_authenticated

import data.policies.lib.servers
import rego.v1

products := {"ollama", "tgi", "sglang", "llama.cpp", "lmdeploy", "nim", "torchserve"}

scope contains w.id if {
	some w in input.resources.workload
	some s in w.servers
	s.product in products
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	every s in w.servers {
		quiet(s)
	}
}

quiet(s) if count({s.product} & products) == 0

quiet(s) if s.listens == "loopback"

quiet(s) if s.auth == "key"

fail contains {
	"id": w.id, "fact": "server_doors", "expected": "callers who prove who they are", "actual": servers.shown(d),
	"message": sprintf("%s in %s asks nobody who he is and is reached %s", [d.product, d.container, reached]),
} if {
	some w in input.resources.workload
	w.id in scope
	some d in w.server_doors
	d.product in products
	d.auth == "none"
	reached := servers.reached(d)
}
