package policies.ai.gpu_mig_in_force_test

import data.policies.ai.gpu_mig_in_force
import rego.v1

node := {"id": "n", "mig_required": true, "mig_strategy": "single", "mig_config": "all-1g.10gb", "mig_state": "success"}

world(changes) := {"resources": {"node": [object.union(node, changes)]}}

test_strategy_fails if {
	gpu_mig_in_force.fail == {{
		"id": "n", "fact": "mig_strategy", "expected": "single or mixed", "actual": "none",
		"message": "it must partition its GPUs, and no partitions are offered",
	}} with input as world({"mig_strategy": "none"})
}

test_layout_fails if {
	gpu_mig_in_force.fail == {{
		"id": "n", "fact": "mig_config", "expected": "a layout with partitions", "actual": "all-disabled",
		"message": "it must partition its GPUs, and its layout turns partitions off",
	}} with input as world({"mig_config": "all-disabled"})
}

test_state_fails if {
	gpu_mig_in_force.fail == {{
		"id": "n", "fact": "mig_state", "expected": "success", "actual": "failed",
		"message": "it must partition its GPUs, and its layout is not in force (failed)",
	}} with input as world({"mig_state": "failed"})
}

test_sound_passes if {
	gpu_mig_in_force.fail == set() with input as world({})
	gpu_mig_in_force.scope == {"n"} with input as world({})
}

test_out_of_scope if {
	gpu_mig_in_force.scope == set() with input as world({"mig_required": false, "mig_state": "failed"})
	gpu_mig_in_force.fail == set() with input as world({"mig_required": false, "mig_state": "failed"})
}

test_blind_proves_nothing if {
	blind := {"resources": {"node": [object.remove(node, ["mig_strategy", "mig_config", "mig_state"])]}}
	gpu_mig_in_force.fail == set() with input as blind
}
