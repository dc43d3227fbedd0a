# METADATA
# title: Namespaces of tenants have a LimitRange for pods or containers
# description: >-
#   It gives a pod that says nothing a default, and keeps one without bounds from using up a GPU host. A LimitRange about
#   claims alone does not count. Whether the values are sensible is not judged. Namespaces of the platform (by name, or
#   `tenants` in `bartizan.yaml`) are not judged.
# related_resources:
#   - https://kubernetes.io/docs/concepts/policy/limit-range/
# custom:
#   severity: low
#   kind: namespace
#   scope_on: [platform]
#   fail_on: [limit_range]
#   controls:
#     nist_800_53_r5: [SC-5]
#     mitre_attack_containers: [T1499]
#     soc2: [A1.1]
#   tags: [kubernetes, tenancy]
#   covers:
#     v1/Namespace:
#       catalog: [K8S-MT-002]
#       fix:
#         manifest: "LimitRange: spec.limits: [{type: Container, default: {memory: 4Gi, cpu: \"2\"}}]"
package policies.workload.namespace_limit_range

import rego.v1

scope contains n.id if {
	some n in input.resources.namespace
	n.platform == false
}

fail contains {"id": n.id, "fact": "limit_range", "expected": true, "message": "has no LimitRange for pods or containers"} if {
	some n in input.resources.namespace
	n.id in scope
	n.limit_range == false
}
