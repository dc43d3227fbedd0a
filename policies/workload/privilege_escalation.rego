# METADATA
# title: Containers cannot gain privileges
# description: >-
#   Unless allowPrivilegeEscalation says false, a setuid program in the image gains capabilities back. The field stands on
#   containers only; absent it means true. Pods for Windows are not judged.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator, os]
#   fail_on: [containers]
#   controls:
#     cis_k8s_1.12: ["5.2.6"]
#     cis_eks_1.8: ["4.2.5"]
#     cis_aks_1.8: ["4.2.5"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1548, T1611]
#     pci_dss_4: ["2.2.6"]
#     soc2: [CC6.1]
#     pss: [restricted]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-008]
#       fix:
#         manifest: "securityContext: {allowPrivilegeEscalation: false} on every container."
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
package policies.workload.privilege_escalation

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	w.os != "windows"
}

fail contains {
	"id": w.id, "fact": "containers", "expected": false,
	"actual": workload.found(c, "allow_privilege_escalation", c.allow_privilege_escalation),
	"message": sprintf("%s may gain privileges", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.allow_privilege_escalation == true
}
