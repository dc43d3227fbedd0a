# METADATA
# title: No pod holds a token that masters the cluster
# description: >-
#   Whoever gets into a pod has its token. What the token may do is gathered from all bindings of the service account,
#   by its name, by the user that stands for it and by its groups; the rights that count are those which the rules about
#   bindings call critical or high. Pods of kube-system, kube-public and kube-node-lease are not judged. Whether a pod
#   is reached from outside is not asked. Operators that need such a right are named by the parameter.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
#   - https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/
# custom:
#   severity: high
#   kind: identity
#   scope_on: [namespace]
#   fail_on: [takeover_paths, takeover_settled]
#   params:
#     accounts: []
#   controls:
#     nist_800_53_r5: [AC-6, CA-7]
#     mitre_attack_containers: [T1528, T1611, T1098.006]
#     pci_dss_4: ["7.2.5"]
#     soc2: [CC6.3, CC7.1]
#   tags: [kubernetes, rbac]
#   covers:
#     v1/ServiceAccount:
#       catalog: [K8S-RBAC-019]
#       fix:
#         manifest: Split the service account, so that what faces others holds no such right, or mount no token.
package policies.iam.k8s_takeover

import data.policies.lib.names
import rego.v1

accounts := input.params["iam.k8s_takeover"].accounts

platform := {"kube-system", "kube-public", "kube-node-lease"}

exempt contains {"id": a.id, "reason": "trusted by name"} if {
	some a in input.resources.identity
	count(a.takeover_paths) > 0
	some pattern in accounts
	names.matches(pattern, sprintf("%s/%s", [a.namespace, a.name]), "")
}

scope contains a.id if {
	some a in input.resources.identity
	count({a.namespace} - platform) > 0
}

fail contains {
	"id": a.id, "fact": "takeover_paths", "expected": "no critical right", "actual": p,
	"message": sprintf("its pods may %s, by %s", [p.path, p.role]),
} if {
	some a in input.resources.identity
	a.id in scope
	some p in a.takeover_paths
}
