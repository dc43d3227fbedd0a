# METADATA
# title: Model servers do not unpickle what they load
# description: >-
#   A pickled checkpoint runs what is in it when it is loaded. Wrong are the load formats pt and npcache, servers of
#   sklearn, PyTorch and MLflow models, files that end like pickles, and TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD. Right are
#   safetensors, ONNX and GGUF. vLLM, SGLang, TGI and Triton take what the repository has unless told otherwise: then the
#   format is unknown.
# related_resources:
#   - https://docs.pytorch.org/docs/stable/notes/serialization.html
#   - https://huggingface.co/docs/hub/security-pickle
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [model_servers, unsafe_formats]
#   fail_on: [unsafe_formats, formats_settled]
#   controls:
#     nist_800_53_r5: [SI-7, SI-10]
#     mitre_attack_containers: [T1059, T1195.002]
#     soc2: [CC6.8]
#   tags: [kubernetes, supply-chain]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-SUP-003]
#       fix:
#         manifest: Convert the weights to safetensors (or ONNX, GGUF), and say so (--load-format safetensors).
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
package policies.integrity.k8s_model_formats

import rego.v1

scope contains r.id if {
	some r in input.resources.workload
	count(r.model_servers) > 0
}

scope contains r.id if {
	some r in input.resources.workload
	count(r.unsafe_formats) > 0
}

fail contains {
	"id": r.id, "fact": "unsafe_formats", "expected": "none", "actual": c, "tag": tag,
	"message": sprintf("%s unpickles what it loads (%s)", [c.container, c.how]),
} if {
	some r in input.resources.workload
	r.id in scope
	some c in r.unsafe_formats
	tag := sprintf("%s %s", [c.container, c.how])
}
