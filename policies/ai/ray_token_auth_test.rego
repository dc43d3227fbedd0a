package policies.ai.ray_token_auth_test

import data.policies.ai.ray_token_auth
import rego.v1

model_service := {"id": "m", "service_type": "ray", "suspended": false, "auth_mode": "token", "version": "2.52.0"}

world(changes) := {"resources": {"model_service": [object.union(model_service, changes)]}}

test_open_fails if {
	ray_token_auth.fail == {
		{"id": "m", "fact": "auth_mode", "expected": "token", "message": "anyone who reaches it may run code on it"},
	} with input as world({"auth_mode": "none", "version": "2.40.0"})
}

test_old_fails if {
	ray_token_auth.fail == {
		{"id": "m", "fact": "version", "expected": "2.52.0 or later", "message": "Ray 2.9.3 does not know tokens"},
	} with input as world({"version": "2.9.3"})
}

test_sound_passes if {
	ray_token_auth.fail == set() with input as world({})
	ray_token_auth.scope == {"m"} with input as world({})
}

test_newer_passes if {
	ray_token_auth.fail == set() with input as world({"version": "3.0.0"})
	ray_token_auth.scope == {"m"} with input as world({"version": "3.0.0"})
}

test_out_of_scope if {
	every change in [{"suspended": true, "auth_mode": "none"}, {"service_type": "endpoint", "auth_mode": "none"}] {
		ray_token_auth.scope == set() with input as world(change)
		ray_token_auth.fail == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"model_service": [object.remove(model_service, ["auth_mode", "version"])]}}
	ray_token_auth.fail == set() with input as blind
}
