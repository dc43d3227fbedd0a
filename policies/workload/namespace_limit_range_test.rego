package policies.workload.namespace_limit_range_test

import data.policies.workload.namespace_limit_range
import rego.v1

namespace := {"id": "n", "platform": false, "limit_range": true}

world(changes) := {"resources": {"namespace": [object.union(namespace, changes)]}}

test_none_fails if {
	namespace_limit_range.fail == {{"id": "n", "fact": "limit_range", "expected": true, "message": "has no LimitRange for pods or containers"}} with input as world({"limit_range": false})
}

test_one_passes if {
	namespace_limit_range.fail == set() with input as world({})
	namespace_limit_range.scope == {"n"} with input as world({})
}

test_platform_is_out_of_scope if {
	namespace_limit_range.scope == set() with input as world({"platform": true})
	namespace_limit_range.fail == set() with input as world({"platform": true, "limit_range": false})
}

test_blind_proves_nothing if {
	namespace_limit_range.fail == set() with input as {"resources": {"namespace": [object.remove(namespace, ["limit_range"])]}}
}
