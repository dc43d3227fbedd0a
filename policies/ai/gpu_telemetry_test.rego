package policies.ai.gpu_telemetry_test

import data.policies.ai.gpu_telemetry
import rego.v1

operator := {"id": "o", "exporter_state": "on"}

world(changes) := {"resources": {"operator": [object.union(operator, changes)]}}

test_off_fails if {
	gpu_telemetry.fail == {{
		"id": "o", "fact": "exporter_state", "expected": "on", "actual": "off",
		"message": "it turns the DCGM exporter off",
	}} with input as world({"exporter_state": "off"})
}

test_sound_passes if {
	gpu_telemetry.fail == set() with input as world({})
	gpu_telemetry.scope == {"o"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	gpu_telemetry.scope == set() with input as {"resources": {"other": [operator]}}
	gpu_telemetry.fail == set() with input as {"resources": {"other": [operator]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"operator": [object.remove(operator, ["exporter_state"])]}}
	gpu_telemetry.fail == set() with input as blind
}
