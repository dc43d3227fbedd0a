package policies.ai.gpu_toolkit_patched_test

import data.policies.ai.gpu_toolkit_patched
import rego.v1

operator := {"id": "o", "toolkit_outdated": []}

old := {"version": "v1.17.8", "fixed": "1.19.1", "ids": ["CVE-2026-24260"]}

world(changes) := {"resources": {"operator": [object.union(operator, changes)]}}

test_old_fails if {
	gpu_toolkit_patched.fail == {{
		"id": "o", "fact": "toolkit_outdated", "expected": "1.19.1 or later", "actual": "v1.17.8", "tag": "v1.17.8",
		"message": "container toolkit v1.17.8 lets an image take the host (CVE-2026-24260)",
	}} with input as world({"toolkit_outdated": [old]})
}

test_sound_passes if {
	gpu_toolkit_patched.fail == set() with input as world({})
	gpu_toolkit_patched.scope == {"o"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	gpu_toolkit_patched.scope == set() with input as {"resources": {"other": [operator]}}
	gpu_toolkit_patched.fail == set() with input as {"resources": {"other": [operator]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"operator": [object.remove(operator, ["toolkit_outdated"])]}}
	gpu_toolkit_patched.fail == set() with input as blind
}
