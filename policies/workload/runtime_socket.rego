# METADATA
# title: No pod reaches the container runtime's socket
# description: >-
#   Who can talk to the container runtime is root on the node. A host path counts where it is the socket or a folder above
#   it.
# related_resources:
#   - https://kubernetes.io/docs/concepts/storage/volumes/#hostpath
# custom:
#   severity: critical
#   kind: workload
#   scope_on: [operator]
#   fail_on: [host_paths]
#   params:
#     sockets:
#       [/run/docker.sock, /run/containerd/containerd.sock, /run/crio/crio.sock, /run/k3s/containerd/containerd.sock,
#        /run/cri-dockerd.sock, /run/podman/podman.sock]
#   controls:
#     cis_k8s_1.12: ["5.2.11"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1611, T1609, T1612]
#     pci_dss_4: ["2.2.6"]
#     soc2: [CC6.8]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-007]
#       fix:
#         manifest: Remove the volume; build images with a builder that needs no runtime (BuildKit rootless).
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
package policies.workload.runtime_socket

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

sockets := input.params["workload.runtime_socket"].sockets

# /var/run is a link to /run on every current distribution
real(path) := regex.replace(path, "^/var/run(/|$)", "/run$1")

reaches(path, socket) if path == socket

reaches(path, socket) if startswith(socket, concat("", [trim_right(path, "/"), "/"]))

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
}

fail contains {
	"id": w.id, "fact": "host_paths", "expected": "no path to a runtime socket",
	"actual": v.path,
	"message": sprintf("mounts %s of the host, which gives %s", [v.path, socket]),
} if {
	some w in input.resources.workload
	w.id in scope
	some v in w.host_paths
	some socket in sockets
	reaches(real(v.path), socket)
}
