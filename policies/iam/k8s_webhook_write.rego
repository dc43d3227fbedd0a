# METADATA
# title: Nobody rewrites admission webhooks or policies
# description: >-
#   Who may change a webhook, an admission policy or its binding switches every guardrail off, or has every object sent
#   to itself. A rule that names its objects is let through: cert-manager, istiod, KServe and Kueue need no more than
#   their own. The objects are in no namespace, so only cluster-wide bindings grant it.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
#   - https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
# custom:
#   severity: high
#   kind: grant
#   scope_on: [subjects, cluster_wide]
#   fail_on: [rules, rules_settled, role]
#   params:
#     accounts: []
#   controls:
#     cis_k8s_1.12: ["5.1.12"]
#     cis_eks_1.8: ["4.1.11"]
#     cis_aks_1.8: ["4.1.11"]
#     nist_800_53_r5: [AC-6, CM-5]
#     mitre_attack_containers: [T1562.001]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3, CC8.1]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding:
#       catalog: [K8S-RBAC-012]
#       fix:
#         manifest: Name the webhooks and policies in resourceNames.
package policies.iam.k8s_webhook_write

import data.policies.lib.rbac
import rego.v1

accounts := input.params["iam.k8s_webhook_write"].accounts

configurations := {
	"mutatingwebhookconfigurations", "validatingwebhookconfigurations", "validatingadmissionpolicies",
	"validatingadmissionpolicybindings", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings",
}

offends(r) if {
	rbac.on(r, {"admissionregistration.k8s.io"}, configurations)
	rbac.may(r, {"create", "update", "patch", "delete", "deletecollection"})
	rbac.unnamed(r)
}

exempt contains reason if {
	some g in input.resources.grant
	reason := rbac.exemption(g)
}

exempt contains reason if {
	some g in input.resources.grant
	some r in g.rules
	offends(r)
	reason := rbac.trust(g, accounts)
}

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
	g.cluster_wide == true
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "named webhooks and policies only", "actual": rbac.path(g.role, r),
	"message": sprintf("%s may change what admission does", [rbac.who(strangers)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	offends(r)
	strangers := rbac.strangers(g.subjects, accounts)
	count(strangers) > 0
}
