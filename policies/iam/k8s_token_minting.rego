# METADATA
# title: Nobody mints tokens of other service accounts
# description: >-
#   create on serviceaccounts/token makes a token of any account in reach; create on secrets together with reading them
#   does the same, by a token Secret (judged where it is cluster-wide). A rule that names the accounts is let through.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: high
#   kind: grant
#   scope_on: [subjects]
#   fail_on: [rules, rules_settled, cluster_wide]
#   controls:
#     cis_k8s_1.12: ["5.1.13"]
#     cis_eks_1.8: ["4.1.12"]
#     cis_aks_1.8: ["4.1.12"]
#     nist_800_53_r5: [AC-6, IA-5]
#     mitre_attack_containers: [T1528]
#     pci_dss_4: ["7.2.2", "8.6.1"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-010]
#       fix:
#         manifest: Limit the rule with resourceNames.
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_token_minting

import data.policies.lib.rbac
import rego.v1

exempt contains reason if {
	some g in input.resources.grant
	reason := rbac.exemption(g)
}

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "named service accounts only", "actual": rbac.shown(r),
	"message": sprintf("%s may mint tokens of any service account", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	rbac.core(r, {"serviceaccounts/token", "*/token"})
	rbac.may(r, {"create"})
	rbac.unnamed(r)
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "no create together with read of secrets", "actual": rbac.shown(r),
	"message": sprintf("%s may make token Secrets and read them", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	g.cluster_wide == true
	rbac.core(r, {"secrets"})
	rbac.may(r, {"create"})
	rbac.unnamed(r)
	some other in g.rules
	rbac.core(other, {"secrets"})
	rbac.may(other, {"get", "list", "watch"})
	rbac.unnamed(other)
}
