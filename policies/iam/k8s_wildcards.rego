# METADATA
# title: Roles list their verbs and resources
# description: >-
#   A wildcard also grants what will exist tomorrow, and subresources such as pods/exec and serviceaccounts/token. Judged
#   in the groups core, apps, batch, rbac.authorization.k8s.io and *; wildcards inside an operator's own group are left
#   alone.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: high
#   kind: grant
#   scope_on: [subjects]
#   fail_on: [rules, rules_settled]
#   controls:
#     cis_k8s_1.12: ["5.1.3"]
#     cis_eks_1.8: ["4.1.3"]
#     cis_gke_1.9: ["4.1.3"]
#     cis_aks_1.8: ["4.1.3"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1098.006]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-002]
#       fix:
#         manifest: Write out the verbs and resources in the role.
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_wildcards

import data.policies.lib.rbac
import rego.v1

core(r) if {
	some group in r.api_groups
	group in {"", "apps", "batch", "rbac.authorization.k8s.io", "*"}
}

exempt contains reason if {
	some g in input.resources.grant
	reason := rbac.exemption(g)
}

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "verbs written out", "actual": rbac.shown(r),
	"message": sprintf("%s holds every verb on some resources", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	"*" in r.verbs
	core(r)
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "resources written out", "actual": rbac.shown(r),
	"message": sprintf("%s holds some verbs on every resource", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	"*" in r.resources
	core(r)
}
