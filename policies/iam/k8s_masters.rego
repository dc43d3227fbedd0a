# METADATA
# title: No binding names the group system:masters
# description: >-
#   Members of system:masters pass every authorizer by, and a certificate with the group cannot be revoked. Only the
#   platform's own binding cluster-admin may name it. Who is in the group does not show in the API: ConfigMaps of EKS
#   and signing requests are judged by two rules beside this one; kubeconfig files are not seen.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: medium
#   kind: grant
#   scope_on: []
#   fail_on: [subjects, role, cluster_wide]
#   controls:
#     cis_k8s_1.12: ["5.1.7"]
#     cis_gke_1.9: ["4.1.6"]
#     nist_800_53_r5: [AC-2, AC-6]
#     mitre_attack_containers: [T1078]
#     pci_dss_4: ["7.2.2", "8.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-017]
#       fix:
#         manifest: Bind a group of your own to cluster-admin; it can be taken away again.
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_masters

import rego.v1

# The binding that the API server makes itself.
own := {["cluster-admin", "ClusterRole", "cluster-admin", true]}

scope contains g.id if some g in input.resources.grant

fail contains {
	"id": g.id, "fact": "subjects", "expected": "a group of your own", "actual": "Group system:masters",
	"message": sprintf("%s %s is bound to system:masters", [g.role.kind, g.role.name]),
} if {
	some g in input.resources.grant
	some s in g.subjects
	s.kind == "Group"
	s.name == "system:masters"
	count({[g.name, g.role.kind, g.role.name, g.cluster_wide]} - own) > 0
}
