package policies.encryption.cmk_rotation_test

import data.policies.encryption.cmk_rotation
import rego.v1

key := {
	"id": "k", "manager": "customer", "state": "enabled", "algorithm": "symmetric", "origin": "provider",
	"rotation_enabled": true, "rotation_days": 365, "aws": {"multi_region": "none"},
}

world(changes) := {
	"params": {"encryption.cmk_rotation": {"max_days": 365}},
	"resources": {"key": [object.union(key, changes)]},
}

test_off_fails if {
	cmk_rotation.fail == {{
		"id": "k", "fact": "rotation_enabled", "expected": true,
		"message": "automatic rotation is off",
	}} with input as world({"rotation_enabled": false})
}

test_slow_fails if {
	cmk_rotation.fail == {{
		"id": "k", "fact": "rotation_days", "expected": "at most 365",
		"message": "rotates only every 400 days",
	}} with input as world({"rotation_days": 400})
}

test_rotating_passes if {
	cmk_rotation.fail == set() with input as world({})
	cmk_rotation.scope == {"k"} with input as world({})
}

test_out_of_scope if {
	every change in [
		{"manager": "provider"}, {"state": "disabled"}, {"algorithm": "hmac"}, {"origin": "external"},
		{"aws": {"multi_region": "replica"}},
	] {
		cmk_rotation.scope == set() with input as world(change)
		cmk_rotation.fail == set() with input as world(object.union(change, {"rotation_enabled": false}))
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"key": [object.remove(key, ["rotation_enabled", "rotation_days"])]}, "params": {"encryption.cmk_rotation": {"max_days": 365}}}
	cmk_rotation.fail == set() with input as blind
	cmk_rotation.scope == {"k"} with input as blind
}
