package policies.workload.priority_scoped_test

import data.policies.workload.priority_scoped
import rego.v1

workload := {"id": "w", "operator": "", "in_platform": false, "priority": 2000000, "priority_preempts": true, "priority_bounded": true}

params := {"workload.priority_scoped": {"from": 1000000}}

world(changes) := {"params": params, "resources": {"workload": [object.union(workload, changes)]}}

test_unbounded_fails if {
	priority_scoped.fail == {{
		"id": "w", "fact": "priority_bounded", "expected": "a quota for the class", "actual": 2000000,
		"message": "its priority of 2000000 preempts others, and no quota of its namespace bounds the class",
	}} with input as world({"priority_bounded": false})
}

test_bounded_or_patient_passes if {
	priority_scoped.fail == set() with input as world({})
	priority_scoped.scope == {"w"} with input as world({})
	priority_scoped.fail == set() with input as world({"priority_bounded": false, "priority_preempts": false})
}

test_low_and_platform_are_out_of_scope if {
	priority_scoped.scope == set() with input as world({"priority": 0})
	priority_scoped.scope == set() with input as world({"in_platform": true})
}

test_operator_is_exempt if {
	priority_scoped.exempt == {{"id": "w", "reason": "Cilium owns it and needs it"}} with input as world({"operator": "Cilium", "priority_bounded": false})
	priority_scoped.fail == set() with input as world({"operator": "Cilium", "priority_bounded": false})
}

test_blind_proves_nothing if {
	blind := {"params": params, "resources": {"workload": [object.remove(workload, ["priority_bounded", "priority_preempts"])]}}
	priority_scoped.fail == set() with input as blind
	priority_scoped.safe == set() with input as blind
}

test_what_is_seen_settles_it if {
	priority_scoped.safe == {"w"} with input as {"params": params, "resources": {"workload": [object.remove(workload, ["priority_preempts"])]}}
	patient := object.union(object.remove(workload, ["priority_bounded"]), {"priority_preempts": false})
	priority_scoped.safe == {"w"} with input as {"params": params, "resources": {"workload": [patient]}}
}
