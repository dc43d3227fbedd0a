# METADATA
# title: Secrets reach pods as files, not as variables
# description: >-
#   Variables are inherited by child processes and shown by crash dumps and by the dashboards of Ray and Jupyter; files
#   are not. Taking all keys of a Secret as variables (envFrom) is worse still: nobody sees which. RAY_AUTH_TOKEN, which
#   the operator of Ray sets itself, does not count.
# related_resources:
#   - https://kubernetes.io/docs/concepts/configuration/secret/
#   - https://kubernetes.io/docs/concepts/security/secrets-good-practices/
# custom:
#   severity: low
#   kind: workload
#   scope_on: [secret_keys]
#   fail_on: [secret_keys]
#   controls:
#     cis_k8s_1.12: ["5.4.1"]
#     cis_eks_1.8: ["4.4.1"]
#     cis_gke_1.9: ["4.4.1"]
#     cis_aks_1.8: ["4.5.1"]
#     nist_800_53_r5: [IA-5]
#     mitre_attack_containers: [T1552.001]
#     soc2: [CC6.1]
#   tags: [kubernetes, secrets]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-CRED-006]
#       fix:
#         manifest: Mount the Secret as a volume (or a CSI secret store), and let the program read the file.
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
package policies.credentials.k8s_secret_env

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	count(w.secret_keys) > 0
}

fail contains {
	"id": w.id, "fact": "secret_keys", "expected": "a file", "actual": r, "tag": "variable",
	"message": sprintf("container %s gets %s from the Secret %s", [r.container, r.variable, r.secret]),
} if {
	some w in input.resources.workload
	w.id in scope
	some r in w.secret_keys
	r.how == "variable"
	r.variable != "RAY_AUTH_TOKEN"
}

fail contains {
	"id": w.id, "fact": "secret_keys", "expected": "a file", "actual": r, "tag": "variables",
	"message": sprintf("container %s gets every key of the Secret %s as a variable", [r.container, r.secret]),
} if {
	some w in input.resources.workload
	w.id in scope
	some r in w.secret_keys
	r.how == "variables"
}
