package policies.workload.priority_default_test

import data.policies.workload.priority_default
import rego.v1

class := {"id": "q", "global_default": true, "priority": 0}

params := {"workload.priority_default": {"from": 1000000}}

world(changes) := {"params": params, "resources": {"quota": [object.union(class, changes)]}}

test_high_fails if {
	priority_default.fail == {{
		"id": "q", "fact": "priority", "expected": "a low value", "actual": 1000000,
		"message": "pods that name no class have the priority 1000000",
	}} with input as world({"priority": 1000000})
}

test_low_passes if {
	priority_default.fail == set() with input as world({})
	priority_default.scope == {"q"} with input as world({})
}

test_others_are_out_of_scope if {
	priority_default.scope == set() with input as world({"global_default": false, "priority": 1000000})
	priority_default.fail == set() with input as world({"global_default": false, "priority": 1000000})
}

test_blind_proves_nothing if {
	priority_default.fail == set() with input as {"params": params, "resources": {"quota": [object.remove(class, ["priority"])]}}
}
