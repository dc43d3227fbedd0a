# METADATA
# title: ClusterQueues name the namespaces that they admit
# description: >-
#   An empty `namespaceSelector` admits every namespace: whoever may make a LocalQueue in any of them gets at the quota.
#   Without a selector nobody is admitted: the two are opposites.
# related_resources:
#   - https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#namespace-selector
# custom:
#   severity: low
#   kind: quota
#   scope_on: []
#   fail_on: [namespaces_selected]
#   controls:
#     nist_800_53_r5: [AC-3, SC-6]
#     mitre_attack_containers: [T1496]
#     soc2: [CC6.3]
#   tags: [kubernetes, tenancy]
#   covers:
#     kueue.x-k8s.io/v1beta2/ClusterQueue:
#       catalog: [K8S-AI-017]
#       fix:
#         manifest: "spec.namespaceSelector: {matchLabels: {tenant: NAME}}"
package policies.ai.cluster_queue_namespaces

import rego.v1

scope contains q.id if some q in input.resources.quota

fail contains {
	"id": q.id, "fact": "namespaces_selected", "expected": "a selector that chooses",
	"message": "admits the workloads of every namespace (namespaceSelector: {})",
} if {
	some q in input.resources.quota
	q.namespaces_selected == "all"
}
