# METADATA
# title: Pods get an API token only where they need one
# description: >-
#   Training and inference pods rarely call the API server, and the mounted token is the first thing that stolen code
#   reads. A token is needless where no binding names the service account, and never belongs to the account default. The
#   pod's own setting beats the service account's.
# related_resources:
#   - https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator]
#   fail_on: [token_mounted, service_account, account_bound]
#   controls:
#     cis_k8s_1.12: ["5.1.6"]
#     cis_eks_1.8: ["4.1.6"]
#     cis_gke_1.9: ["4.1.5"]
#     cis_aks_1.8: ["4.1.6"]
#     nist_800_53_r5: [AC-6, IA-5]
#     mitre_attack_containers: [T1528, T1552.007]
#     pci_dss_4: ["7.2.5", "8.6.1"]
#     soc2: [CC6.1, CC6.3]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-017]
#       fix:
#         manifest: "automountServiceAccountToken: false in the pod spec."
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
package policies.workload.service_account_token

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	w.token_mounted == false
}

fail contains {"id": w.id, "fact": "token_mounted", "expected": false, "message": "its pods get a token of the service account default"} if {
	some w in input.resources.workload
	w.id in scope
	w.token_mounted == true
	w.service_account == "default"
}

fail contains {
	"id": w.id, "fact": "token_mounted", "expected": false,
	"message": sprintf("its pods get a token of %s, to which nothing is granted", [w.service_account]),
} if {
	some w in input.resources.workload
	w.id in scope
	w.token_mounted == true
	w.service_account != "default"
	w.account_bound == false
}
