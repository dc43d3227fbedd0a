# METADATA
# title: Namespaces with accelerators have a quota on them, or a queue
# description: >-
#   One tenant can otherwise take every GPU of the factory. A quota bounds extended resources by `requests.` alone; one
#   with scopes may not apply to every pod and settles nothing, nor does one on pods or memory. Workloads that wait in a
#   queue of Kueue, Volcano or KAI that is there, or that Kueue manages in any case, are bounded by it. Devices that come
#   by claims are not judged; namespaces of the platform (by name, or `tenants` in `bartizan.yaml`) neither.
# related_resources:
#   - https://kubernetes.io/docs/concepts/policy/resource-quotas/
#   - https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/
# custom:
#   severity: medium
#   kind: namespace
#   scope_on: [platform, uses_accelerators]
#   fail_on: [accelerators_unbounded, accelerators_unbounded_settled]
#   controls:
#     nist_800_53_r5: [SC-5, SC-6]
#     mitre_attack_containers: [T1496, T1499]
#     soc2: [A1.1]
#   tags: [kubernetes, tenancy]
#   covers:
#     v1/Namespace:
#       catalog: [K8S-MT-001]
#       fix:
#         manifest: "ResourceQuota: spec.hard: {requests.nvidia.com/gpu: \"8\"}"
package policies.workload.namespace_accelerator_quota

import rego.v1

scope contains n.id if {
	some n in input.resources.namespace
	n.platform == false
	n.uses_accelerators == true
}

fail contains {
	"id": n.id, "fact": "accelerators_unbounded", "expected": "a quota or a queue", "actual": name, "tag": name,
	"message": sprintf("neither a quota nor a queue bounds %s in it", [name]),
} if {
	some n in input.resources.namespace
	n.id in scope
	some name in n.accelerators_unbounded
}
