# METADATA
# title: No workload lives in the namespace default
# description: >-
#   The namespace default has no tenant, quota or policy of its own, and what forgets to name a namespace lands in it. A
#   manifest that names none is unknown: whoever applies it chooses.
# related_resources:
#   - https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/
# custom:
#   severity: low
#   kind: workload
#   scope_on: [namespace]
#   fail_on: [namespace, namespace_settled]
#   controls:
#     cis_k8s_1.12: ["5.6.4"]
#     cis_eks_1.8: ["4.5.2"]
#     cis_gke_1.9: ["4.6.4"]
#     cis_aks_1.8: ["4.6.3"]
#     nist_800_53_r5: [SC-2]
#     soc2: [CC6.1]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-MT-004]
#       fix:
#         manifest: Put it into a namespace of its tenant (metadata.namespace).
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
package policies.workload.default_namespace

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	w.namespace != ""
}

fail contains {
	"id": w.id, "fact": "namespace", "expected": "a namespace of its tenant", "actual": "default",
	"message": "it lives in the namespace default",
} if {
	some w in input.resources.workload
	w.id in scope
	w.namespace == "default"
	w.namespace_settled == true
}
