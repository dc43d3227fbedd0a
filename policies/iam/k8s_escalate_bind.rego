# METADATA
# title: Nobody may escalate or bind roles
# description: >-
#   With escalate or bind on roles the holder grants itself anything. A bind that names the roles it may bind is let
#   through unless cluster-admin is one of them.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: critical
#   kind: grant
#   scope_on: [subjects]
#   fail_on: [rules, rules_settled]
#   controls:
#     cis_k8s_1.12: ["5.1.8"]
#     cis_eks_1.8: ["4.1.8"]
#     cis_gke_1.9: ["4.1.7"]
#     cis_aks_1.8: ["4.1.7"]
#     nist_800_53_r5: [AC-6, AC-6(9)]
#     mitre_attack_containers: [T1098.006, T1068]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-003]
#       fix:
#         manifest: Remove the verbs escalate and bind, or limit bind with resourceNames.
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_escalate_bind

import data.policies.lib.rbac
import rego.v1

roles(r) if {
	some group in r.api_groups
	group in {"rbac.authorization.k8s.io", "*"}
	some resource in r.resources
	resource in {"roles", "clusterroles", "*"}
}

unbounded(r) if rbac.unnamed(r)

unbounded(r) if "cluster-admin" in r.resource_names

exempt contains reason if {
	some g in input.resources.grant
	reason := rbac.exemption(g)
}

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "no escalate", "actual": rbac.shown(r),
	"message": sprintf("%s may write roles beyond its own (escalate)", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	roles(r)
	rbac.may(r, {"escalate"})
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "no bind, or bind of named roles", "actual": rbac.shown(r),
	"message": sprintf("%s may bind any role (bind)", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	roles(r)
	unbounded(r)
	rbac.may(r, {"bind"})
}
