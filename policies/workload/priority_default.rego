# METADATA
# title: The default priority class is not a high one
# description: >-
#   Every pod that names no class takes the one with globalDefault: with a high value every tenant's pods push those of
#   others off their nodes. `from` is the value at which a class counts as high.
# related_resources:
#   - https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
# custom:
#   severity: medium
#   kind: quota
#   scope_on: [global_default]
#   fail_on: [priority]
#   params:
#     from: 1000000
#   controls:
#     nist_800_53_r5: [SC-6]
#     mitre_attack_containers: [T1499]
#     soc2: [A1.1]
#   tags: [kubernetes, tenancy]
#   covers:
#     scheduling.k8s.io/v1/PriorityClass:
#       catalog: [K8S-MT-003]
#       fix:
#         manifest: "PriorityClass: globalDefault: false, or a value near 0"
package policies.workload.priority_default

import rego.v1

scope contains q.id if {
	some q in input.resources.quota
	q.global_default == true
}

fail contains {
	"id": q.id, "fact": "priority", "expected": "a low value", "actual": q.priority,
	"message": sprintf("pods that name no class have the priority %d", [q.priority]),
} if {
	some q in input.resources.quota
	q.id in scope
	q.priority >= input.params["workload.priority_default"].from
}
