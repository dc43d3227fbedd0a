# METADATA
# title: Projected tokens live at most a day, and say for whom they are
# description: >-
#   A token of a service account that lives for long is a long-lived credential, whatever it is called. One without an
#   audience is a token for the API server: whoever it is sent to can act as the pod. `longest` are the seconds that one
#   may live; a token without an audience is wrong where it is mounted under one of `external`, the folders that systems
#   outside the cluster read theirs from. Where else tokens are sent is not seen.
# related_resources:
#   - https://kubernetes.io/docs/concepts/storage/projected-volumes/#serviceaccounttoken
# custom:
#   severity: low
#   kind: workload
#   scope_on: [projected_tokens]
#   fail_on: [projected_tokens]
#   params:
#     longest: 86400
#     external: [/var/run/secrets/eks.amazonaws.com/, /var/run/secrets/azure/, /var/run/secrets/vault/, /var/run/secrets/tokens/vault]
#   controls:
#     nist_800_53_r5: [IA-5]
#     mitre_attack_containers: [T1528]
#     pci_dss_4: ["8.6.3"]
#     soc2: [CC6.1]
#   tags: [kubernetes, secrets]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-CRED-011]
#       fix:
#         manifest: Set expirationSeconds to 3600 and audience to the system that the token is for.
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
package policies.credentials.k8s_token_lifetime

import rego.v1

params := input.params["credentials.k8s_token_lifetime"]

scope contains w.id if {
	some w in input.resources.workload
	count(w.projected_tokens) > 0
}

fail contains {
	"id": w.id, "fact": "projected_tokens", "expected": sprintf("at most %d seconds", [params.longest]), "actual": t, "tag": tag,
	"message": sprintf("the token in the volume %s lives %d seconds", [t.volume, t.seconds]),
} if {
	some w in input.resources.workload
	w.id in scope
	some t in w.projected_tokens
	t.seconds > params.longest
	tag := sprintf("lifetime %s", [t.volume])
}

fail contains {
	"id": w.id, "fact": "projected_tokens", "expected": "an audience", "actual": t, "tag": tag,
	"message": sprintf("the token at %s is for another system, and good for the API server", [path]),
} if {
	some w in input.resources.workload
	w.id in scope
	some t in w.projected_tokens
	t.audience == ""
	some path in t.paths
	some folder in params.external
	startswith(path, folder)
	tag := sprintf("audience %s", [path])
}
