package policies.workload.namespace_accelerator_quota_test

import data.policies.workload.namespace_accelerator_quota
import rego.v1

namespace := {"id": "n", "platform": false, "uses_accelerators": true, "accelerators_unbounded": [], "accelerators_unbounded_settled": true}

world(changes) := {"resources": {"namespace": [object.union(namespace, changes)]}}

test_unbounded_fails if {
	namespace_accelerator_quota.fail == {{
		"id": "n", "fact": "accelerators_unbounded", "expected": "a quota or a queue", "actual": "nvidia.com/gpu", "tag": "nvidia.com/gpu",
		"message": "neither a quota nor a queue bounds nvidia.com/gpu in it",
	}} with input as world({"accelerators_unbounded": ["nvidia.com/gpu"]})
}

test_bounded_passes if {
	namespace_accelerator_quota.fail == set() with input as world({})
	namespace_accelerator_quota.scope == {"n"} with input as world({})
}

test_others_are_out_of_scope if {
	namespace_accelerator_quota.scope == set() with input as world({"platform": true})
	namespace_accelerator_quota.scope == set() with input as world({"uses_accelerators": false})
}

test_blind_proves_nothing if {
	blind := {"resources": {"namespace": [object.remove(namespace, ["accelerators_unbounded"])]}}
	namespace_accelerator_quota.fail == set() with input as blind
	namespace_accelerator_quota.scope == set() with input as {"resources": {"namespace": [object.remove(namespace, ["platform"])]}}
}
