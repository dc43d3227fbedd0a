# METADATA
# title: Nothing is granted to anonymous callers
# description: >-
#   Whoever reaches the API server gets what is bound to system:anonymous or system:unauthenticated, whatever the role
#   holds. The platform's own bindings of system:public-info-viewer, and of the cluster info that kubeadm publishes in
#   kube-public, are let through.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
# custom:
#   severity: critical
#   kind: grant
#   scope_on: []
#   fail_on: [subjects, role, namespace]
#   controls:
#     cis_gke_1.9: ["4.1.8", "4.1.9"]
#     nist_800_53_r5: [AC-3, AC-14]
#     mitre_attack_containers: [T1190, T1078.001]
#     pci_dss_4: ["7.2.1", "8.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-008]
#       fix:
#         cli: kubectl delete clusterrolebinding NAME
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_anonymous

import rego.v1

scope contains g.id if some g in input.resources.grant

nobody(s) if {
	s.kind == "User"
	s.name == "system:anonymous"
}

nobody(s) if {
	s.kind == "Group"
	s.name == "system:unauthenticated"
}

published := {["", "ClusterRole", "system:public-info-viewer"], ["kube-public", "Role", "kubeadm:bootstrap-signer-clusterinfo"]}

fail contains {
	"id": g.id, "fact": "subjects", "expected": "no anonymous subject", "actual": sprintf("%s %s", [s.kind, s.name]),
	"message": sprintf("%s %s is granted to %s", [g.role.kind, g.role.name, s.name]),
} if {
	some g in input.resources.grant
	some s in g.subjects
	nobody(s)
	count({[g.namespace, g.role.kind, g.role.name]} - published) > 0
}
