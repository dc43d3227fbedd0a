# METADATA
# title: Models are loaded from within, or by a pinned revision
# description: >-
#   Who can change a repository on a public hub changes the weights, and the code, that start next. Right are paths,
#   volumes, stores of one's own, OCI images by digest, a revision of 40 hex digits, a hub within the own network, and
#   HF_HUB_OFFLINE. A branch or tag is no pin. vLLM before 0.22.0 does not load all files of a repository by the revision
#   (CVE-2026-47155); where its version is not known, a pinned model is unknown. Read are the flags and variables of vLLM,
#   SGLang, TGI, TEI, llama.cpp, Ollama, Triton, NIM, the command line of Hugging Face, KServe and Ray Serve LLM.
#   Adapters, draft models, and what programs load by themselves are not seen; variables that a Secret brings are taken
#   for credentials.
# related_resources:
#   - https://huggingface.co/docs/huggingface_hub/guides/download
#   - https://nvd.nist.gov/vuln/detail/CVE-2026-47155
# custom:
#   severity: high
#   kind: workload
#   scope_on: [models, model_servers]
#   fail_on: [models, models_settled]
#   controls:
#     nist_800_53_r5: [SR-3, SR-4, SI-7]
#     mitre_attack_containers: [T1195.002]
#     pci_dss_4: ["6.3.2"]
#     soc2: [CC8.1]
#   tags: [kubernetes, supply-chain]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-SUP-001]
#       fix:
#         manifest: Mirror the model into a store of your own, or pin --revision to a commit.
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
package policies.integrity.k8s_model_pinned

import rego.v1

scope contains r.id if {
	some r in input.resources.workload
	count(r.model_servers) > 0
}

scope contains r.id if {
	some r in input.resources.workload
	count(r.models) > 0
}

named(m) := "a model" if m.model == ""

named(m) := sprintf("the model %s", [m.model]) if m.model != ""

how := {
	"unpinned": "from a public hub, at whatever revision it has then",
	"branch": "from a public hub by a branch or tag, which can be moved",
	"tag": "from an OCI image by its tag, which can be moved",
	"web": "from a web server that is not one's own",
	"artifacts": "by a version of vLLM that does not load all files by the revision (CVE-2026-47155)",
}

fail contains {
	"id": r.id, "fact": "models", "expected": "a model from within, or a pinned revision", "actual": m, "tag": tag,
	"message": sprintf("loads %s %s", [named(m), how[m.flaw]]),
} if {
	some r in input.resources.workload
	r.id in scope
	some m in r.models
	m.flaw in object.keys(how)
	tag := sprintf("%s %s", [m.container, m.model])
}
