# METADATA
# title: Pods that use a cloud have an identity of their own there
# description: >-
#   Without one a pod acts as its node, with all that nodes may do. A pod uses a cloud where its command line, variables
#   or volumes name the cloud's storage (s3://, gs://, abfs://, blob.core.windows.net, CSI drivers); s3:// of another
#   object store does not count. Bound is a service account by a well-formed annotation, by what a webhook has put into a
#   running pod, on AKS by annotation and pod label together, on EKS by an association as well. Associations, and
#   principals of GKE, stand in the cloud: without it in the same snapshot a missing annotation is unknown. What the
#   identity may do is judged in the cloud.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/service-accounts.html
#   - https://cloud.google.com/kubernetes-engine/docs/concepts/workload-identity
#   - https://azure.github.io/azure-workload-identity/docs/topics/service-account-labels-and-annotations.html
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [cloud_uses]
#   fail_on: [without_identity, identity_settled]
#   controls:
#     cis_eks_1.8: ["5.2.1"]
#     cis_gke_1.9: ["5.2.2"]
#     cis_aks_1.8: ["5.2.1"]
#     nist_800_53_r5: [IA-5, AC-6]
#     mitre_attack_containers: [T1552.005, T1078.004]
#     pci_dss_4: ["8.6.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, secrets]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-CRED-007]
#       fix:
#         manifest: Annotate the service account with its role or identity (AKS - label the pods as well), or associate it by EKS Pod Identity.
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
package policies.credentials.k8s_workload_identity

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	count(w.cloud_uses) > 0
}

clouds := {"aws": "AWS", "azure": "Azure", "gcp": "Google Cloud"}

fail contains {
	"id": w.id, "fact": "without_identity", "expected": "none", "actual": lack, "tag": lack.cloud,
	"message": sprintf("uses %s without an identity of its own: %s", [clouds[lack.cloud], lack.why]),
} if {
	some w in input.resources.workload
	w.id in scope
	some lack in w.without_identity
}
