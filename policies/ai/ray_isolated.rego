# METADATA
# title: Network policies isolate Ray clusters both ways
# description: >-
#   Whoever reaches Ray's ports runs code, and what runs on it can reach everything else. spec.networkPolicy has the
#   operator write policies, but only behind its feature gate RayClusterNetworkPolicy (alpha, off): so in a cluster
#   those policies must be there, for the head and every group of workers. A policy of the same name that is somebody
#   else's makes the operator give up, and one that admits everyone isolates nothing. Clusters that other policies isolate both ways are exempt. Pods of a group that
#   was taken out while upgradeStrategy is None lose their policy: they are not seen.
# related_resources:
#   - https://github.com/ray-project/kuberay/blob/master/ray-operator/controllers/ray/networkpolicy_controller.go
#   - https://kubernetes.io/docs/concepts/services-networking/network-policies/
# custom:
#   severity: medium
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [isolation]
#   controls:
#     cis_k8s_1.12: ["5.3.2"]
#     cis_k8s_1.10: ["5.3.2"]
#     nist_800_53_r5: [SC-7]
#     mitre_attack_containers: [T1046]
#     pci_dss_4: ["1.3.1"]
#     soc2: [CC6.6]
#   tags: [kubernetes, ray]
#   covers:
#     ray.io/v1/RayCluster: &same
#       catalog: [K8S-AI-005]
#       fix:
#         manifest: "spec.networkPolicy: {mode: DenyAll} and rules for DNS, with the feature gate RayClusterNetworkPolicy of the operator."
#     ray.io/v1/RayJob: *same
#     ray.io/v1/RayService: *same
package policies.ai.ray_isolated

import rego.v1

scope contains m.id if {
	some m in input.resources.model_service
	m.service_type == "ray"
}

exempt contains {"id": m.id, "reason": "other network policies isolate all its pods both ways"} if {
	some m in input.resources.model_service
	m.service_type == "ray"
	m.isolation == "equivalent"
}

wrong := {
	"none": "nothing isolates it",
	"partial": "it asks for isolation in one direction only",
	"missing": "the policies that it asks for are not there",
	"open": "its policies admit everyone",
}

fail contains {
	"id": m.id, "fact": "isolation", "expected": "policies", "actual": m.isolation,
	"message": wrong[m.isolation],
} if {
	some m in input.resources.model_service
	m.id in scope
	wrong[m.isolation]
}
