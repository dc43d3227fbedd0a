# METADATA
# title: Nothing of its own is granted to every authenticated caller
# description: >-
#   system:authenticated and system:serviceaccounts hold every pod of the cluster, and on some clouds every account of the
#   cloud. What the platform itself grants them (discovery, self-review) is let through; a distribution's own bindings,
#   such as OpenShift's, are not.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
# custom:
#   severity: high
#   kind: grant
#   scope_on: []
#   fail_on: [subjects, role]
#   params:
#     roles:
#       [system:basic-user, system:discovery, system:public-info-viewer, system:service-account-issuer-discovery,
#        system:cluster-trust-bundle-discovery]
#   controls:
#     cis_gke_1.9: ["4.1.10"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1078.001]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-009]
#       fix:
#         manifest: Bind named groups or service accounts.
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_authenticated

import rego.v1

allowed := {["ClusterRole", name] | some name in input.params["iam.k8s_authenticated"].roles}

scope contains g.id if some g in input.resources.grant

fail contains {
	"id": g.id, "fact": "subjects", "expected": "named subjects", "actual": sprintf("%s %s", [s.kind, s.name]),
	"message": sprintf("%s %s is granted to all of %s", [g.role.kind, g.role.name, s.name]),
} if {
	some g in input.resources.grant
	some s in g.subjects
	s.kind == "Group"
	regex.match(`^system:(authenticated|serviceaccounts(:.*)?)$`, s.name)
	count({[g.role.kind, g.role.name]} - allowed) > 0
}
