package policies.ai.gpu_env_selection_test

import data.policies.ai.gpu_env_selection
import rego.v1

operator := {"id": "o", "env_selection": false}

world(changes) := {"resources": {"operator": [object.union(operator, changes)]}}

test_legacy_fails if {
	gpu_env_selection.fail == {{
		"id": "o", "fact": "env_selection", "expected": false,
		"message": "any container gets every GPU of its node that it names in NVIDIA_VISIBLE_DEVICES",
	}} with input as world({"env_selection": true})
}

test_sound_passes if {
	gpu_env_selection.fail == set() with input as world({})
	gpu_env_selection.scope == {"o"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	gpu_env_selection.scope == set() with input as {"resources": {"other": [operator]}}
	gpu_env_selection.fail == set() with input as {"resources": {"other": [operator]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"operator": [object.remove(operator, ["env_selection"])]}}
	gpu_env_selection.fail == set() with input as blind
}
