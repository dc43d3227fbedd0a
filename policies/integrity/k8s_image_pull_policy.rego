# METADATA
# title: A private image that a node has already is not given to every pod
# description: >-
#   With any policy but Always a pod of another tenant starts an image from the node's cache without the right to pull it.
#   Right are Always, the admission plugin AlwaysPullImages, or kubelets that ask for the credentials again (from v1.35
#   on, unless turned off). Private is an image of a registry that is not among `public`; private repositories of public
#   registries are not seen. Kubernetes sets Always where the tag is latest or missing, else IfNotPresent.
# related_resources:
#   - https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting
#   - https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#alwayspullimages
# custom:
#   severity: low
#   kind: workload
#   scope_on: [image_refs, images_settled]
#   fail_on: [image_refs, images_settled, pull_verified]
#   params:
#     public: [docker.io, quay.io, ghcr.io, gcr.io, registry.k8s.io, k8s.gcr.io, public.ecr.aws, mcr.microsoft.com, nvcr.io, gke.gcr.io, registry.gitlab.com, registry.access.redhat.com]
#   controls:
#     cis_k8s_1.12: ["1.2.11"]
#     nist_800_53_r5: [AC-3]
#     mitre_attack_containers: [T1525]
#     soc2: [CC6.1]
#   tags: [kubernetes, supply-chain]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-IMG-004]
#       fix:
#         manifest: Set imagePullPolicy Always, or turn the admission plugin AlwaysPullImages on.
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
package policies.integrity.k8s_image_pull_policy

import rego.v1

params := input.params["integrity.k8s_image_pull_policy"]

private(w) := {i.image | some i in w.image_refs; count({i.registry} - {r | some r in params.public}) > 0}

reused(w) := {i.image | some i in w.image_refs; count({i.policy} - {"Always"}) > 0; count({i.registry} - {r | some r in params.public}) > 0}

scope contains w.id if {
	some w in input.resources.workload
	count(private(w)) > 0
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	w.images_settled == true
	count(reused(w)) == 0
}

fail contains {
	"id": w.id, "fact": "image_refs", "expected": "imagePullPolicy: Always", "actual": sort(images),
	"message": sprintf("a node gives %s to every pod once it has it", [concat(", ", sort(images))]),
} if {
	some w in input.resources.workload
	w.id in scope
	w.pull_verified == false
	images := reused(w)
	count(images) > 0
}
