# METADATA
# title: No container publishes a port of the host
# description: >-
#   A host port opens the container on the node's address, past Services and often past network policies. Pods on the
#   host's network are judged by workload.host_network only: the API server copies their ports.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator, host_network]
#   fail_on: [containers]
#   controls:
#     cis_k8s_1.12: ["5.2.12"]
#     cis_gke_1.9: ["4.2.1"]
#     nist_800_53_r5: [SC-7, CM-7]
#     mitre_attack_containers: [T1133]
#     pci_dss_4: ["1.3.1"]
#     soc2: [CC6.6]
#     pss: [baseline]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-006]
#       fix:
#         manifest: Remove ports[].hostPort and publish the port with a Service.
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
package policies.workload.host_port

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	w.host_network == false
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "none",
	"actual": workload.found(c, "host_ports", port),
	"message": sprintf("%s publishes port %d of the host", [workload.title(c), port]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	some port in c.host_ports
}
