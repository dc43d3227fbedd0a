package policies.exposure.front_door_waf_test

import data.policies.exposure.front_door_waf
import rego.v1

params := {"exposure.front_door_waf": {"ports": [8000]}}

door := {
	"id": "d", "endpoint_type": "load_balancer", "internet_facing": true, "target_ports": [8000], "accelerator_targets": false,
	"ai_role": "none", "web_acl": "acl",
}

world(changes) := {"params": params, "resources": {"endpoint": [object.union(door, changes)]}}

blind(facts) := {"params": params, "resources": {"endpoint": [object.remove(object.union(door, {"web_acl": ""}), facts)]}}

test_fails if {
	front_door_waf.fail == {{
		"id": "d", "fact": "web_acl", "expected": "a web application firewall",
		"message": "is open to the internet without a web application firewall",
	}} with input as world({"web_acl": ""})
}

test_what_serves_inference if {
	every change in [{"accelerator_targets": true}, {"ai_role": "inference"}, {"endpoint_type": "api"}] {
		count(front_door_waf.fail) == 1 with input as world(object.union({"target_ports": [], "web_acl": ""}, change))
	}
}

test_passes if {
	front_door_waf.scope == {"d"} with input as world({})
	front_door_waf.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"internet_facing": false}, {"target_ports": [443]}, {"endpoint_type": "listener"}, {"endpoint_type": "api", "internet_facing": false}] {
		front_door_waf.scope == set() with input as world(object.union(change, {"web_acl": ""}))
		front_door_waf.fail == set() with input as world(object.union(change, {"web_acl": ""}))
	}
}

test_blind_proves_nothing if {
	every fact in ["web_acl", "internet_facing", "endpoint_type", "target_ports"] {
		front_door_waf.fail == set() with input as blind([fact])
	}
}
