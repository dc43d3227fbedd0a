# METADATA
# title: No container is privileged
# description: >-
#   A privileged container has every device, every capability and no confinement: on a GPU node it owns the kernel, all
#   GPUs and the fabric adapter, and with them every tenant. Init and ephemeral containers count, and so do Windows host-
#   process containers. Node agents whose operator is in the snapshot are exempt.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
# custom:
#   severity: critical
#   kind: workload
#   scope_on: [operator]
#   fail_on: [containers]
#   controls:
#     cis_k8s_1.12: ["5.2.2"]
#     cis_eks_1.8: ["4.2.1"]
#     cis_gke_1.9: ["4.2.1"]
#     cis_aks_1.8: ["4.2.1"]
#     nist_800_53_r5: [AC-6, CM-7, SC-39]
#     mitre_attack_containers: [T1611, T1610]
#     pci_dss_4: ["2.2.6", "7.2.1"]
#     soc2: [CC6.1, CC6.8]
#     pss: [baseline]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-001]
#       fix:
#         manifest: Remove securityContext.privileged; request GPUs as nvidia.com/gpu and RDMA as rdma/<pool>, and add IPC_LOCK alone where RDMA needs it.
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
package policies.workload.privileged

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
	"id": w.id, "fact": "containers", "expected": false,
	"actual": workload.found(c, "privileged", c.privileged),
	"message": sprintf("%s is privileged", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.privileged == true
}
