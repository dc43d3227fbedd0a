# METADATA
# title: Nobody but the control plane is cluster-admin
# description: >-
#   cluster-admin, or a role equal to it, is every verb on everything. Bound in one namespace (RoleBinding) it is
#   everything in that namespace. Identities of the control plane are not judged; who is in the group system:masters does
#   not show in the API.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: high
#   kind: grant
#   scope_on: [subjects]
#   fail_on: [rules, rules_settled]
#   controls:
#     cis_k8s_1.12: ["5.1.1"]
#     cis_eks_1.8: ["4.1.1"]
#     cis_gke_1.9: ["4.1.1"]
#     cis_aks_1.8: ["4.1.1"]
#     nist_800_53_r5: [AC-6, AC-2(7)]
#     mitre_attack_containers: [T1078, T1098.006]
#     pci_dss_4: ["7.2.1", "7.2.2"]
#     soc2: [CC6.1, CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-001]
#       fix:
#         cli: kubectl delete clusterrolebinding NAME
#         manifest: Bind a role that lists the verbs and resources that are needed.
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_cluster_admin

import data.policies.lib.rbac
import rego.v1

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "a narrower role", "actual": rbac.shown(r),
	"message": sprintf("%s may do everything", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	rbac.everything(r)
}
