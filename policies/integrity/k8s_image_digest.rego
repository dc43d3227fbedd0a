# METADATA
# title: Images are pinned by digest
# description: >-
#   A tag can be moved to a poisoned build between one start and the next; a digest names the content. Judged are
#   containers of every kind, and images that volumes mount. No tag, `latest` and nightly builds are moved by design, and
#   say so in the message. A pod of an operator gets its image from the operator's own object (`version: sha256:…` in a
#   ClusterPolicy).
# related_resources:
#   - https://kubernetes.io/docs/concepts/containers/images/#image-names
# custom:
#   severity: medium
#   kind: workload
#   scope_on: []
#   fail_on: [image_refs, images_settled]
#   controls:
#     cis_k8s_1.12: ["5.5.1"]
#     cis_eks_1.8: ["5.1.4"]
#     cis_gke_1.9: ["5.1.4"]
#     cis_aks_1.8: ["5.1.4"]
#     nsa_cisa_1.2: [Upgrading and application security]
#     nist_800_53_r5: [SI-7, SR-4, CM-14]
#     mitre_attack_containers: [T1525, T1204.003]
#     pci_dss_4: ["6.3.2"]
#     soc2: [CC8.1]
#   tags: [kubernetes, supply-chain]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-IMG-001]
#       fix:
#         manifest: Write IMAGE@sha256:DIGEST (crane digest IMAGE tells it).
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
package policies.integrity.k8s_image_digest

import rego.v1

scope contains w.id if some w in input.resources.workload

how := {true: "by a tag that is made to be moved", false: "by its tag, which can be moved"}

place := {"volume": "volume", "init": "init container", "ephemeral": "ephemeral container", "container": "container"}

fail contains {
	"id": w.id, "fact": "image_refs", "expected": "an image pinned by digest", "tag": tag,
	"actual": {"container": i.container, "image": i.image},
	"message": sprintf("%s %s has %s %s", [place[i.type], i.container, i.image, how[i.floating]]),
} if {
	some w in input.resources.workload
	w.id in scope
	some i in w.image_refs
	i.digest == false
	tag := sprintf("%s %s", [place[i.type], i.container])
}
