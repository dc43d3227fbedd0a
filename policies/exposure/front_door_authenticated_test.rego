package policies.exposure.front_door_authenticated_test

import data.policies.exposure.front_door_authenticated
import rego.v1

params := {"exposure.front_door_authenticated": {"ports": [8000]}}

door := {
	"id": "d", "endpoint_type": "listener", "internet_facing": true, "target_ports": [8000], "accelerator_targets": false, "ai_role": "none",
	"open_rules": [], "limited_by_policy": false, "authentication_known": true,
}

world(changes) := {"params": params, "resources": {"endpoint": [object.union(door, changes)]}}

blind(facts) := {"params": params, "resources": {"endpoint": [object.remove(object.union(door, {"open_rules": ["default"]}), facts)]}}

test_fails if {
	front_door_authenticated.fail == {{
		"id": "d", "fact": "open_rules", "expected": [], "actual": ["default", "10 (path-pattern)"],
		"message": "no platform authentication seen: default, 10 (path-pattern)",
	}} with input as world({"open_rules": ["default", "10 (path-pattern)"]})
}

test_what_serves_inference if {
	every change in [{"accelerator_targets": true}, {"ai_role": "inference"}, {"endpoint_type": "api"}] {
		count(front_door_authenticated.fail) == 1 with input as world(object.union({"target_ports": [443], "open_rules": ["default"]}, change))
	}
}

test_passes if {
	every change in [{}, {"open_rules": ["GET /"], "limited_by_policy": true}] {
		front_door_authenticated.scope == {"d"} with input as world(change)
		front_door_authenticated.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"internet_facing": false}, {"target_ports": [443]}, {"endpoint_type": "target_group"}, {"endpoint_type": "api", "internet_facing": false}] {
		front_door_authenticated.scope == set() with input as world(object.union(change, {"open_rules": ["default"]}))
		front_door_authenticated.fail == set() with input as world(object.union(change, {"open_rules": ["default"]}))
	}
}

test_blind_proves_nothing if {
	every fact in ["open_rules", "limited_by_policy", "internet_facing", "endpoint_type", "target_ports"] {
		front_door_authenticated.fail == set() with input as blind([fact])
	}
	front_door_authenticated.seen == set() with input as blind(["authentication_known"])
	front_door_authenticated.seen == {"d"} with input as blind(["open_rules"])
}
