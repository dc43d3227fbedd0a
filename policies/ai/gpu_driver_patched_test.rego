package policies.ai.gpu_driver_patched_test

import data.policies.ai.gpu_driver_patched
import rego.v1

operator := {"id": "o", "driver_enabled": true, "driver_by_object": false, "driver_outdated": []}

world(changes) := {"resources": {"operator": [object.union(operator, changes)]}}

test_old_fails if {
	gpu_driver_patched.fail == {{
		"id": "o", "fact": "driver_outdated", "expected": "580.178.04 or later", "actual": "580.95.05", "tag": "580.95.05",
		"message": "driver 580.95.05 lacks fixes of its branch (CVE-2026-47501)",
	}} with input as world({"driver_outdated": [{"version": "580.95.05", "fixed": "580.178.04", "ids": ["CVE-2026-47501"]}]})
}

test_ended_branch_fails if {
	gpu_driver_patched.fail == {{
		"id": "o", "fact": "driver_outdated", "expected": "a branch that is maintained", "actual": "570.211.01", "tag": "570.211.01",
		"message": "driver 570.211.01 is of a branch that gets no fixes any more",
	}} with input as world({"driver_outdated": [{"version": "570.211.01", "fixed": "", "ids": []}]})
}

test_sound_passes if {
	gpu_driver_patched.fail == set() with input as world({})
	gpu_driver_patched.scope == {"o"} with input as world({})
}

test_out_of_scope if {
	found := [{"version": "570.211.01", "fixed": "", "ids": []}]
	every change in [{"driver_enabled": false}, {"driver_by_object": true}] {
		gpu_driver_patched.scope == set() with input as world(object.union(change, {"driver_outdated": found}))
		gpu_driver_patched.fail == set() with input as world(object.union(change, {"driver_outdated": found}))
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"operator": [object.remove(operator, ["driver_outdated"])]}}
	gpu_driver_patched.fail == set() with input as blind
}
