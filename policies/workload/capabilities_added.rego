# METADATA
# title: No container adds a dangerous capability
# description: >-
#   SYS_ADMIN, SYS_PTRACE, NET_ADMIN, BPF and the like undo isolation. The baseline's own list is allowed. IPC_LOCK, which
#   RDMA needs, is judged by workload.ipc_lock_without_rdma.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
# custom:
#   severity: high
#   kind: workload
#   scope_on: [operator]
#   fail_on: [containers]
#   params:
#     allowed:
#       [AUDIT_WRITE, CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, MKNOD, NET_BIND_SERVICE, SETFCAP, SETGID, SETPCAP,
#        SETUID, SYS_CHROOT]
#   controls:
#     cis_k8s_1.12: ["5.2.8", "5.2.9"]
#     cis_gke_1.9: ["4.2.1"]
#     nist_800_53_r5: [AC-6, CM-7]
#     mitre_attack_containers: [T1611, T1068]
#     pci_dss_4: ["2.2.6"]
#     soc2: [CC6.1]
#     pss: [baseline]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-009]
#       fix:
#         manifest: Remove the capability from securityContext.capabilities.add.
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
#     kubernetes/v1/DebuggedPod: *same
package policies.workload.capabilities_added

import data.policies.lib.workload
import rego.v1

allowed := {c | some c in input.params["workload.capabilities_added"].allowed} | {"IPC_LOCK"}

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "baseline capabilities only",
	"actual": workload.found(c, "cap_add", cap),
	"message": sprintf("%s adds %s", [workload.title(c), cap]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	some cap in {added | some added in c.cap_add} - allowed
}
