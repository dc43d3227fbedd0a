# METADATA
# title: Nobody reads Secrets of the whole cluster
# description: >-
#   get, list and watch on secrets all return the values, in every namespace where the binding is cluster-wide. Bindings
#   in one namespace are not judged. A get of Secrets named in the rule is let through.
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
#         manifest: Use a RoleBinding in the namespace, or name the Secrets in resourceNames and allow get only.
package policies.iam.k8s_secrets_read

import rego.v1

outsiders(g) := {s.name | some s in g.subjects; s.system == false}

secrets(r) if {
	some group in r.api_groups
	group in {"", "*"}
	some resource in r.resources
	resource in {"secrets", "*"}
}

reads(r) if {
	some verb in r.verbs
	verb in {"list", "watch", "*"}
}

reads(r) if {
	"get" in r.verbs
	r.resource_names == []
}

# NOTE: whoever holds everything is judged once, by iam.k8s_cluster_admin
exempt contains {"id": g.id, "reason": "it grants everything, which iam.k8s_cluster_admin judges"} if {
	some g in input.resources.grant
	count(outsiders(g)) > 0
	some r in g.rules
	"*" in r.verbs
	"*" in r.resources
	"*" in r.api_groups
}

scope contains g.id if {
	some g in input.resources.grant
	count(outsiders(g)) > 0
	g.cluster_wide == true
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "no cluster-wide read of secrets",
	"message": sprintf("%s may read every Secret of the cluster", [concat(", ", sort(outsiders(g)))]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	secrets(r)
	reads(r)
}
