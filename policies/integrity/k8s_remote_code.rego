# METADATA
# title: No code that comes with a model is run
# description: >-
#   trust_remote_code runs Python of the model's repository, with the pod's network, tokens and GPUs. Told by the flag
#   (alone it means yes, =false is no), by variables, and by the settings of Ray Serve LLM. vLLM from 0.10.1 to 0.17 runs
#   the code of two families of models whatever it is told (CVE-2026-27893). With a model that is not pinned it is worse;
#   that is a finding of its own. Configuration files in images are unknown.
# related_resources:
#   - https://huggingface.co/docs/transformers/models#custom-models
#   - https://nvd.nist.gov/vuln/detail/CVE-2026-27893
# custom:
#   severity: high
#   kind: workload
#   scope_on: [model_servers, remote_code]
#   fail_on: [remote_code, remote_code_settled]
#   controls:
#     nist_800_53_r5: [CM-7, SI-7]
#     mitre_attack_containers: [T1059, T1195.002]
#     soc2: [CC6.8]
#   tags: [kubernetes, supply-chain]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-SUP-002]
#       fix:
#         manifest: Remove the flag; take a model that its library supports, or review the code and bake it into the image.
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
package policies.integrity.k8s_remote_code

import rego.v1

scope contains r.id if {
	some r in input.resources.workload
	count(r.model_servers) > 0
}

scope contains r.id if {
	some r in input.resources.workload
	count(r.remote_code) > 0
}

fail contains {
	"id": r.id, "fact": "remote_code", "expected": "none", "actual": c, "tag": c.container,
	"message": sprintf("%s runs code that comes with the model (%s)", [c.container, c.how]),
} if {
	some r in input.resources.workload
	r.id in scope
	some c in r.remote_code
}
