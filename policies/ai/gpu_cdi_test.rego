package policies.ai.gpu_cdi_test

import data.policies.ai.gpu_cdi
import rego.v1

operator := {"id": "o", "cdi": "on"}

world(changes) := {"resources": {"operator": [object.union(operator, changes)]}}

test_off_fails if {
	gpu_cdi.fail == {
		{"id": "o", "fact": "cdi", "expected": "on", "message": "containers get GPUs by the legacy mode, not by CDI"},
	} with input as world({"cdi": "off"})
}

test_sound_passes if {
	gpu_cdi.fail == set() with input as world({})
	gpu_cdi.scope == {"o"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	gpu_cdi.scope == set() with input as {"resources": {"other": [operator]}}
	gpu_cdi.fail == set() with input as {"resources": {"other": [operator]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"operator": [object.remove(operator, ["cdi"])]}}
	gpu_cdi.fail == set() with input as blind
}
