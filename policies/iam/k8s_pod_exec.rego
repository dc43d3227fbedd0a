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
	"id": g.id, "fact": "rules", "expected": "no cluster-wide exec", "actual": rbac.shown(r),
	"message": sprintf("%s may run commands in every pod", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	rbac.core(r, {"pods/exec", "pods/attach", "pods/portforward", "*/exec", "*/attach", "*/portforward"})
	rbac.may(r, {"create", "get"})
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "no cluster-wide ephemeral containers", "actual": rbac.shown(r),
	"message": sprintf("%s may add containers to every pod", [rbac.named(g.subjects)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	rbac.core(r, {"pods/ephemeralcontainers", "*/ephemeralcontainers"})
	rbac.may(r, {"update", "patch"})
}
