# METADATA
# title: GPUs are reached through the device plugin only
# description: >-
#   NVIDIA_VISIBLE_DEVICES, or /dev/nvidia* of the host, in a container that asked for no GPU gets past quota, MIG and
#   tenant isolation. The variable may also stand in the image, as in every CUDA base image: that is not seen here.
# related_resources:
#   - https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html
# custom:
#   severity: high
#   kind: workload
#   scope_on: [operator]
#   fail_on: [containers, host_paths]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6, SC-4]
#     mitre_attack_containers: [T1611, T1496]
#     pci_dss_4: ["7.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-020]
#       fix:
#         manifest: Request nvidia.com/gpu (or a ResourceClaim) and remove the variable, or set it to void.
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
package policies.workload.device_plugin_bypassed

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

fail contains {
	"id": w.id, "fact": "containers", "expected": "a GPU request",
	"actual": workload.found(c, "visible_devices", devices),
	"message": sprintf("%s asks for no GPU and sets NVIDIA_VISIBLE_DEVICES=%s", [workload.title(c), devices]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.accelerator == false
	c.claims == false
	some devices in {c.visible_devices} - {"", "void", "none"}
}

fail contains {"id": w.id, "fact": "host_paths", "expected": "a GPU request", "actual": v.path, "message": sprintf("mounts %s of the host", [v.path])} if {
	some w in input.resources.workload
	w.id in scope
	some v in w.host_paths
	startswith(v.path, "/dev/nvidia")
}
