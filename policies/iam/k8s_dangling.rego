# METADATA
# title: Bindings name roles and service accounts that exist
# description: >-
#   A binding of a role or a service account that is not there comes alive when somebody makes one of that name. Users
#   and groups do not show in the API and are not judged, nor are identities of the control plane. Of manifests an
#   absence is unknown, but for a service account without a namespace, which the API server refuses.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: low
#   kind: grant
#   scope_on: []
#   fail_on: [role_exists, role, subjects, missing_accounts, missing_settled]
#   controls:
#     nist_800_53_r5: [AC-2]
#     mitre_attack_containers: [T1098.006]
#     pci_dss_4: ["7.2.4"]
#     soc2: [CC6.2]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-018]
#       fix:
#         cli: kubectl delete rolebinding NAME
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_dangling

import rego.v1

scope contains g.id if some g in input.resources.grant

fail contains {
	"id": g.id, "fact": "role_exists", "expected": "a role that exists", "actual": sprintf("%s %s", [g.role.kind, g.role.name]),
	"message": sprintf("binds %s %s, which does not exist", [g.role.kind, g.role.name]),
} if {
	some g in input.resources.grant
	g.role_exists == false
}

fail contains {
	"id": g.id, "fact": "missing_accounts", "expected": "accounts that exist", "actual": account,
	"message": sprintf("names the service account %s, which does not exist", [account]),
} if {
	some g in input.resources.grant
	some account in g.missing_accounts
}

fail contains {
	"id": g.id, "fact": "subjects", "expected": "a namespace", "actual": s.name,
	"message": sprintf("names the service account %s without a namespace", [s.name]),
} if {
	some g in input.resources.grant
	some s in g.subjects
	s.kind == "ServiceAccount"
	s.namespace == ""
}
