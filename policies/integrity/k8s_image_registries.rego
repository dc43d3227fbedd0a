# METADATA
# title: Images come from registries that are allowed
# description: >-
#   What comes from elsewhere is outside of scanning, signing and retention. `registries` are the allowed ones: a registry
#   (`nvcr.io`), all below a name (`*.dkr.ecr.eu-central-1.amazonaws.com`), or a part of one (`registry.example/team`,
#   `docker.io/library`). An image without a registry is of docker.io. Where none is named, the rule does not apply.
# related_resources:
#   - https://kubernetes.io/docs/concepts/containers/images/#image-names
# custom:
#   severity: medium
#   kind: workload
#   scope_on: []
#   fail_on: [image_refs, images_settled]
#   params:
#     registries: []
#   controls:
#     cis_k8s_1.12: ["5.5.1"]
#     cis_eks_1.8: ["5.1.4"]
#     cis_gke_1.9: ["5.1.4"]
#     cis_aks_1.8: ["5.1.4"]
#     nist_800_53_r5: [SR-3, SR-11]
#     mitre_attack_containers: [T1525]
#     pci_dss_4: ["6.3.2"]
#     soc2: [CC8.1]
#   tags: [kubernetes, supply-chain]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-IMG-002]
#       fix:
#         manifest: Mirror the image into an allowed registry and name it there.
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
package policies.integrity.k8s_image_registries

import data.policies.lib.images
import rego.v1

params := input.params["integrity.k8s_image_registries"]

scope contains w.id if {
	some w in input.resources.workload
	count(params.registries) > 0
}

fail contains {
	"id": w.id, "fact": "image_refs", "expected": "an allowed registry", "tag": tag,
	"actual": {"container": i.container, "image": i.image},
	"message": sprintf("%s comes from %s, which is not allowed", [i.image, i.registry]),
} if {
	some w in input.resources.workload
	w.id in scope
	some i in w.image_refs
	known := {r | some r in params.registries; images.within(i, r)}
	count(known) == 0
	tag := sprintf("%s %s", [i.type, i.container])
}
