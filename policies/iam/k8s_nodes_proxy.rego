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

import data.policies.lib.rbac
import rego.v1

exempt contains reason if {
	some g in input.resources.grant
	reason := rbac.exemption(g)
}

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
	g.cluster_wide == true
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "finer node subresources", "actual": rbac.shown(r),
	"message": sprintf("%s has nodes/proxy", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	rbac.core(r, {"nodes/proxy", "*/proxy"})
	count(r.verbs) > 0
}
