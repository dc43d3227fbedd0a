# METADATA
# title: Network policies isolate pods for egress
# description: >-
#   Open egress is the way out for weights and datasets, and the way in for what an attacker fetches. A pod is isolated
#   for egress where a policy closes the direction for it: a NetworkPolicy, Cilium's and Calico's policies, or a rule of an
#   AdminNetworkPolicy or ClusterNetworkPolicy that denies everything. One that admits every destination on every port undoes it,
#   unless another one denies it before. Whether the cluster has an engine that enforces them is not judged here. Pods on the
#   host's network are unknown, since policies do not bind them. In manifests a missing policy proves nothing, and what others admit is not seen. Pods that
#   have ended are not judged.
# related_resources:
#   - https://kubernetes.io/docs/concepts/services-networking/network-policies/
# custom:
#   severity: high
#   kind: workload
#   scope_on: [finished]
#   fail_on: [egress_isolated, egress_open_by]
#   controls:
#     cis_k8s_1.12: ["5.3.2"]
#     cis_eks_1.8: ["4.3.2"]
#     cis_gke_1.9: ["4.3.2"]
#     cis_aks_1.8: ["4.4.2"]
#     nist_800_53_r5: [SC-7(5), AC-4, SC-7(10)]
#     mitre_attack_containers: [T1041, T1567]
#     pci_dss_4: ["1.3.2", "1.4.4"]
#     soc2: [CC6.6, CC6.7]
#   tags: [kubernetes, segmentation]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-NET-002]
#       fix:
#         manifest: |-
#           apiVersion: networking.k8s.io/v1
#           kind: NetworkPolicy
#           metadata: {name: default-deny-egress}
#           spec: {podSelector: {}, policyTypes: [Egress]}
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
package policies.network.k8s_egress_isolation

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	w.finished == false
}

fail contains {"id": w.id, "fact": "egress_isolated", "expected": true, "message": "no network policy selects its pods for egress"} if {
	some w in input.resources.workload
	w.id in scope
	w.egress_isolated == false
}

fail contains {
	"id": w.id, "fact": "egress_open_by", "expected": [],
	"message": sprintf("the network policy %s admits every destination on every port", [name]),
} if {
	some w in input.resources.workload
	w.id in scope
	some name in w.egress_open_by
}
