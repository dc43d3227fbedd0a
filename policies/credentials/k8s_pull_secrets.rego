# METADATA
# title: Nodes prove themselves to a cloud's registry, not pull secrets
# description: >-
#   The password of a registry in a Secret is shared by a namespace and lives for long. Registries of clouds (ECR,
#   Artifact and Container Registry, ACR) know nodes and pods by the kubelet's credential provider. Pull secrets of a pod
#   count, else those of its service account. Not reported where an image of the pod comes from a registry that needs a
#   key, as nvcr.io does: the secret may be for that one.
# related_resources:
#   - https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/
#   - https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/
# custom:
#   severity: low
#   kind: workload
#   scope_on: [image_refs, images_settled]
#   fail_on: [image_refs, images_settled, pull_secrets_used]
#   controls:
#     nist_800_53_r5: [IA-5]
#     mitre_attack_containers: [T1552.007]
#     pci_dss_4: ["8.6.3"]
#     soc2: [CC6.1]
#   tags: [kubernetes, secrets]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-CRED-009]
#       fix:
#         manifest: Give the nodes (or the service account) the right to pull, by the kubelet's credential provider, and remove imagePullSecrets.
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
package policies.credentials.k8s_pull_secrets

import data.policies.lib.images
import rego.v1

registries(w) := {i.registry | some i in w.image_refs}

scope contains w.id if {
	some w in input.resources.workload
	some registry in registries(w)
	images.keyless(registry)
}

fail contains {
	"id": w.id, "fact": "pull_secrets_used", "expected": "none",
	"message": sprintf("pulls from %s with the pull secret %s", [concat(", ", sort(keyless)), concat(", ", sort(w.pull_secrets_used))]),
} if {
	some w in input.resources.workload
	w.id in scope
	count(w.pull_secrets_used) > 0
	w.images_settled == true
	known := registries(w)
	keyless := {r | some r in known; images.keyless(r)}
	count(keyless) > 0
	open := {r | some r in known; images.anonymous(r)}
	count((known - keyless) - open) == 0
}
