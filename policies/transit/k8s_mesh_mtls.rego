# METADATA
# title: Workloads in the Istio mesh take callers with mutual TLS only
# description: >-
#   PERMISSIVE, which is the default of Istio, takes plain text from whoever reaches the pod: the mesh then encrypts only
#   what its own clients send. The mode in force is that of the oldest policy that picks the workload, then of its
#   namespace, then of the root namespace; UNSET takes the wider one, and a policy of the root namespace that picks by
#   labels is ignored. Ports with a weaker mode of their own, and ports that bypass the proxy, count where the workload
#   serves on them. Gateways are not judged: what they ask of the outside is set on the Gateway.
# related_resources:
#   - https://istio.io/latest/docs/reference/config/security/peer_authentication/
#   - https://istio.io/latest/docs/tasks/security/authentication/mtls-migration/
# custom:
#   severity: high
#   kind: workload
#   scope_on: [mesh]
#   fail_on: [mtls_mode, mtls_weak_ports]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1), SC-23]
#     mitre_attack_containers: [T1040, T1557]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, mesh]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-TLS-001]
#       fix:
#         manifest: "PeerAuthentication `default` in the root namespace: spec.mtls.mode: STRICT."
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
package policies.transit.k8s_mesh_mtls

import rego.v1

meshed := {"istio", "istio-ambient"}

scope contains w.id if {
	some w in input.resources.workload
	w.mesh in meshed
}

fail contains {
	"id": w.id, "fact": "mtls_mode", "expected": "STRICT",
	"message": sprintf("it takes callers without mutual TLS (%s)", [w.mtls_mode]),
} if {
	some w in input.resources.workload
	w.id in scope
	w.mtls_mode in {"PERMISSIVE", "DISABLE"}
}

fail contains {
	"id": w.id, "fact": "mtls_weak_ports", "expected": "STRICT on every port",
	"message": sprintf("ports %s take callers without mutual TLS", [concat(", ", w.mtls_weak_ports)]),
} if {
	some w in input.resources.workload
	w.id in scope
	count(w.mtls_weak_ports) > 0
}
