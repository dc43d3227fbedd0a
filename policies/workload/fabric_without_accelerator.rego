# METADATA
# title: Only pods with accelerators are attached to the fabric
# description: >-
#   Pods that serve or edit and do not compute widen a flat network, on which no NetworkPolicy applies. Which networks are of the
#   fabric is told by their plugin and devices, by the pods that use them with RDMA, or by the label ai-role. Storage servers and
#   launchers that need the fabric without an accelerator are not told from others: exempt them in bartizan.yaml.
# related_resources:
#   - https://github.com/k8snetworkplumbingwg/multi-net-spec
#   - https://github.com/Mellanox/network-operator/tree/master/example
# custom:
#   severity: low
#   kind: workload
#   scope_on: [operator, attachments]
#   fail_on: [fabric_networks, fabric_networks_settled, accelerator]
#   controls:
#     nist_800_53_r5: [AC-6, SC-7]
#     mitre_attack_containers: [T1040]
#     soc2: [CC6.6]
#   tags: [kubernetes, network, fabric]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-NET-009]
#       fix:
#         manifest: Remove the annotation k8s.v1.cni.cncf.io/networks.
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
package policies.workload.fabric_without_accelerator

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	count(w.attachments) > 0
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	count(w.attachments) > 0
}

fail contains {
	"id": w.id, "fact": "fabric_networks", "expected": [], "actual": networks,
	"message": sprintf("its pods are attached to the fabric (%s) and ask for no accelerator", [concat(", ", networks)]),
} if {
	some w in input.resources.workload
	w.id in scope
	networks := w.fabric_networks
	count(networks) > 0
	w.accelerator == false
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	w.accelerator == true
}
