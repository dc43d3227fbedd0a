# METADATA
# title: Nobody may impersonate freely
# description: >-
#   Who may impersonate any user, group or service account is that account, up to system:masters. Verbs that begin with
#   impersonate count. A rule that names whom is let through unless system:masters is among them. In one namespace only its
#   service accounts count.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: critical
#   kind: grant
#   scope_on: [subjects]
#   fail_on: [rules, rules_settled, cluster_wide]
#   controls:
#     cis_k8s_1.12: ["5.1.8"]
#     cis_eks_1.8: ["4.1.8"]
#     cis_gke_1.9: ["4.1.7"]
#     cis_aks_1.8: ["4.1.7"]
#     nist_800_53_r5: [AC-6, IA-2]
#     mitre_attack_containers: [T1078]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-004]
#       fix:
#         manifest: Limit the rule with resourceNames.
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_impersonate

import data.policies.lib.rbac
import rego.v1

identities(r) if {
	some group in r.api_groups
	group in {"", "authentication.k8s.io", "*"}
	some resource in r.resources
	regex.match(`^(users|groups|uids|userextras(/.*)?|\*)$`, resource)
}

accounts(r) if rbac.on(r, {"", "authentication.k8s.io"}, {"serviceaccounts"})

# NOTE: service accounts are in a namespace, all other identities in none: a RoleBinding gives nothing of them
offends(g, r) if {
	g.cluster_wide == true
	identities(r)
	unbounded(r)
}

offends(_, r) if {
	accounts(r)
	rbac.unnamed(r)
}

impersonates(verb) if startswith(verb, "impersonate")

impersonates(verb) if verb == "*"

unbounded(r) if rbac.unnamed(r)

unbounded(r) if "system:masters" in r.resource_names

exempt contains reason if {
	some g in input.resources.grant
	reason := rbac.exemption(g)
}

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "named identities only", "actual": rbac.shown(r),
	"message": sprintf("%s may impersonate others", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	offends(g, r)
	some verb in r.verbs
	impersonates(verb)
}
