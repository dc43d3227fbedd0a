# METADATA
# title: Nobody reads Secrets of the whole cluster
# description: >-
#   get, list and watch on secrets all return the values, in every namespace where the binding is cluster-wide. Bindings
#   in one namespace are not judged. A rule that names its Secrets is let through: it allows a listing of the named one
#   alone.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: high
#   kind: grant
#   scope_on: [subjects, cluster_wide]
#   fail_on: [rules, rules_settled]
#   controls:
#     cis_k8s_1.12: ["5.1.2"]
#     cis_eks_1.8: ["4.1.2"]
#     cis_gke_1.9: ["4.1.2"]
#     cis_aks_1.8: ["4.1.2"]
#     nist_800_53_r5: [AC-6, SC-28]
#     mitre_attack_containers: [T1552.007, T1528]
#     pci_dss_4: ["7.2.2", "3.6.1"]
#     soc2: [CC6.1, CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding:
#       catalog: [K8S-RBAC-005]
#       fix:
#         manifest: Use a RoleBinding in the namespace, or name the Secrets in resourceNames.
package policies.iam.k8s_secrets_read

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
	"id": g.id, "fact": "rules", "expected": "no cluster-wide read of secrets", "actual": rbac.shown(r),
	"message": sprintf("%s may read every Secret of the cluster", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	rbac.core(r, {"secrets"})
	rbac.may(r, {"get", "list", "watch"})
	rbac.unnamed(r)
}
