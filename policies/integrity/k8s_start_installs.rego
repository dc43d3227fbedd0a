# METADATA
# title: Nothing is installed when a container starts
# description: >-
#   What pip, uv, apt, conda or a script from the web installs at start has passed no scan, and is another thing tomorrow.
#   Judged are command lines, and the runtime environments of Ray. Right are --require-hashes, an index of one's own, and
#   wheels that are there already (--no-index). What is installed without any check of where it comes from is reported
#   apart, as high. A script that stands in the image or on a volume is unknown; a container that runs its image's own
#   entrypoint is not judged.
# related_resources:
#   - https://pip.pypa.io/en/stable/topics/secure-installs/
#   - https://docs.ray.io/en/latest/ray-core/handling-dependencies.html
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [containers, installs]
#   fail_on: [installs, installs_settled]
#   controls:
#     nist_800_53_r5: [SR-4, CM-7(5)]
#     mitre_attack_containers: [T1195.001, T1059]
#     pci_dss_4: ["6.3.2"]
#     soc2: [CC8.1]
#   tags: [kubernetes, supply-chain]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-SUP-006]
#       fix:
#         manifest: Bake it into the image; else an index of your own, and --require-hashes.
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
package policies.integrity.k8s_start_installs

import rego.v1

how := {
	"unchecked": "from a public index or address, without hashes",
	"packages": "by a package manager",
	"script": "by a script from the web that goes straight into a shell",
	"repository": "straight from a source repository",
	"clear_text": "over plain HTTP",
	"untrusted": "with the checks turned off",
}

scope contains w.id if {
	some w in input.resources.workload
	some c in w.containers
	count(c.args) > 0
}

scope contains w.id if {
	some w in input.resources.workload
	count(w.installs) > 0
}

fail contains {
	"id": w.id, "fact": "installs", "expected": "none", "actual": i, "tag": tag,
	"message": sprintf("%s installs with %s at start, %s", [i.container, i.tool, how[i.how]]),
} if {
	some w in input.resources.workload
	w.id in scope
	some i in w.installs
	i.grade == "medium"
	tag := sprintf("%s %s", [i.container, i.tool])
}
