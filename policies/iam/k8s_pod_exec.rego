# METADATA
# title: Nobody runs commands in pods of the whole cluster
# description: >-
#   exec, attach, port-forward and ephemeral containers are code in every training pod, with its cloud identity. get
#   counts for exec: WebSocket sessions began with it before v1.35. Bindings in one namespace are not judged.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: high
#   kind: grant
#   scope_on: [subjects, cluster_wide]
#   fail_on: [rules, rules_settled]
#   controls:
#     nist_800_53_r5: [AC-6, AC-17]
#     mitre_attack_containers: [T1609]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding:
#       catalog: [K8S-RBAC-006]
#       fix:
#         manifest: Bind it in the namespaces that need it, to a break-glass group.
package policies.iam.k8s_pod_exec

import rego.v1

outsiders(g) := {s.name | some s in g.subjects; s.system == false}

core(r) if {
	some group in r.api_groups
	group in {"", "*"}
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
	"id": g.id, "fact": "rules", "expected": "no cluster-wide exec",
	"message": sprintf("%s may run commands in every pod", [concat(", ", sort(outsiders(g)))]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	core(r)
	some resource in r.resources
	resource in {"pods/exec", "pods/attach", "pods/portforward", "*/exec", "*/attach", "*/portforward", "*"}
	some verb in r.verbs
	verb in {"create", "get", "*"}
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "no cluster-wide ephemeral containers",
	"message": sprintf("%s may add containers to every pod", [concat(", ", sort(outsiders(g)))]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	core(r)
	some resource in r.resources
	resource in {"pods/ephemeralcontainers", "*/ephemeralcontainers", "*"}
	some verb in r.verbs
	verb in {"update", "patch", "*"}
}
