package policies.ai.gpu_node_driver_patched_test

import data.policies.ai.gpu_node_driver_patched
import rego.v1

node := {"id": "n", "nvidia_gpu": true, "driver_outdated": [], "driver_asked": ""}

old := {"version": "580.95.05", "fixed": "580.178.04", "ids": ["CVE-2026-47501"]}

ended := {"version": "570.211.01", "fixed": "", "ids": []}

world(changes) := {"resources": {"node": [object.union(node, changes)]}}

test_old_fails if {
	every asked in ["", "580.95.05"] {
		gpu_node_driver_patched.fail == {{
			"id": "n", "fact": "driver_outdated", "expected": "580.178.04 or later", "actual": "580.95.05",
			"message": "it runs driver 580.95.05, which lacks security fixes",
		}} with input as world({"driver_outdated": [old], "driver_asked": asked})
	}
}

test_ended_branch_fails_and_the_mismatch_shows if {
	gpu_node_driver_patched.fail == {{
		"id": "n", "fact": "driver_outdated", "expected": "a branch that is maintained", "actual": "570.211.01",
		"message": "it runs driver 570.211.01, which lacks security fixes; its operator was told to install 595.91.07",
	}} with input as world({"driver_outdated": [ended], "driver_asked": "595.91.07"})
}

test_sound_passes if {
	gpu_node_driver_patched.fail == set() with input as world({})
	gpu_node_driver_patched.scope == {"n"} with input as world({})
}

test_out_of_scope if {
	gpu_node_driver_patched.scope == set() with input as world({"nvidia_gpu": false, "driver_outdated": [old]})
	gpu_node_driver_patched.fail == set() with input as world({"nvidia_gpu": false, "driver_outdated": [old]})
}

test_blind_proves_nothing if {
	every fact in ["driver_outdated", "driver_asked"] {
		blind := {"resources": {"node": [object.remove(object.union(node, {"driver_outdated": [old]}), [fact])]}}
		gpu_node_driver_patched.fail == set() with input as blind
	}
}
