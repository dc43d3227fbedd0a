# METADATA
# title: No pod holds a static cloud key
# description: >-
#   A cloud key written into a pod spec is read by whoever may read pods, by logs, crash dumps and dashboards, and it does
#   not expire. Found by the variable's whole name and by the value's form, in variables and command lines; values are
#   never kept. Placeholders and keys that come from a Secret are not meant. A variable of such a name that a template still
#   fills in is unknown.
# related_resources:
#   - https://kubernetes.io/docs/concepts/configuration/secret/
# custom:
#   severity: critical
#   kind: workload
#   scope_on: []
#   fail_on: [containers, literals_settled]
#   controls:
#     cis_k8s_1.12: ["5.4.1"]
#     cis_eks_1.8: ["4.4.1"]
#     cis_gke_1.9: ["4.4.1"]
#     cis_aks_1.8: ["4.5.1"]
#     nist_800_53_r5: [IA-5(7), SC-28]
#     mitre_attack_containers: [T1552.001, T1552.007]
#     pci_dss_4: ["8.6.2", "3.6.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, secrets]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-CRED-002]
#       fix:
#         manifest: Give the pod's service account a cloud identity (IRSA, EKS Pod Identity, GKE or AKS workload identity) and remove the key; then revoke it.
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
package policies.credentials.k8s_static_cloud_keys

import data.policies.lib.workload
import rego.v1

scope contains w.id if some w in input.resources.workload

fail contains {
	"id": w.id, "fact": "containers", "expected": "none",
	"actual": workload.found(c, "cloud_keys", name),
	"message": sprintf("%s holds a static cloud key in %s", [workload.title(c), name]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	some name in c.cloud_keys
}
