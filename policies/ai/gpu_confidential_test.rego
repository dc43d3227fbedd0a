package policies.ai.gpu_confidential_test

import data.policies.ai.gpu_confidential
import rego.v1

node := {"id": "n", "cc_required": true, "cc_state": "on"}

world(changes) := {"resources": {"node": [object.union(node, changes)]}}

test_off_fails if {
	gpu_confidential.fail == {{
		"id": "n", "fact": "cc_state", "expected": "on", "actual": "off",
		"message": "it must compute confidentially, and its GPUs do not (off)",
	}} with input as world({"cc_state": "off"})
}

test_devtools_fails if {
	gpu_confidential.fail == {{
		"id": "n", "fact": "cc_state", "expected": "on", "actual": "devtools",
		"message": "it must compute confidentially, and mode devtools switches the protection off",
	}} with input as world({"cc_state": "devtools"})
}

test_sound_passes if {
	every state in ["on", "ppcie"] {
		gpu_confidential.fail == set() with input as world({"cc_state": state})
		gpu_confidential.scope == {"n"} with input as world({"cc_state": state})
	}
}

test_out_of_scope if {
	gpu_confidential.scope == set() with input as world({"cc_required": false, "cc_state": "off"})
	gpu_confidential.fail == set() with input as world({"cc_required": false, "cc_state": "off"})
}

test_blind_proves_nothing if {
	blind := {"resources": {"node": [object.remove(node, ["cc_state"])]}}
	gpu_confidential.fail == set() with input as blind
}
