# METADATA
# title: Nobody has nodes/proxy
# description: >-
#   nodes/proxy, even with get alone, runs commands in any pod of the node through the kubelet, and leaves no trace in the
#   audit log. Nodes are not in a namespace, so only cluster-wide bindings grant it.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: critical
#   kind: grant
#   scope_on: [subjects, cluster_wide]
#   fail_on: [rules, rules_settled]
#   controls:
#     cis_k8s_1.12: ["5.1.10"]
#     cis_eks_1.8: ["4.1.10"]
#     cis_aks_1.8: ["4.1.9"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1609, T1611]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding:
#       catalog: [K8S-RBAC-007]
#       fix:
#         manifest: Grant nodes/metrics, nodes/stats, nodes/pods, nodes/healthz or nodes/configz instead.
package policies.iam.k8s_nodes_proxy

import rego.v1

outsiders(g) := {s.name | some s in g.subjects; s.system == false}

# NOTE: whoever holds everything is judged once, by iam.k8s_cluster_admin
exempt contains {"id": g.id, "reason": "it grants everything, which iam.k8s_cluster_admin judges"} if {
	some g in input.resources.grant
	count(outsiders(g)) > 0
	some r in g.rules
	"*" in r.verbs
	"*" in r.resources
	"*" in r.api_groups
}

scope contains g.id if {
	some g in input.resources.grant
	count(outsiders(g)) > 0
	g.cluster_wide == true
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "finer node subresources",
	"message": sprintf("%s has nodes/proxy", [concat(", ", sort(outsiders(g)))]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	some group in r.api_groups
	group in {"", "*"}
	some resource in r.resources
	resource in {"nodes/proxy", "*/proxy", "*"}
	count(r.verbs) > 0
}
