package policies.network.endpoint_policy_test

import data.policies.network.endpoint_policy
import rego.v1

endpoint := {"id": "e", "endpoint_type": "interface", "policy_supported": true, "policy_open": false}

world(changes) := {"resources": {"private_endpoint": [object.union(endpoint, changes)]}}

blind(changes, facts) := {"resources": {"private_endpoint": [object.remove(object.union(endpoint, changes), facts)]}}

test_fails if {
	every type in ["interface", "gateway"] {
		endpoint_policy.fail == {{
			"id": "e", "fact": "policy_open", "expected": false,
			"message": "its policy lets anyone do anything to any resource of the service",
		}} with input as world({"policy_open": true, "endpoint_type": type})
	}
}

test_passes if {
	endpoint_policy.scope == {"e"} with input as world({})
	endpoint_policy.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"policy_supported": false}, {"endpoint_type": "other"}] {
		endpoint_policy.scope == set() with input as world(change)
		endpoint_policy.fail == set() with input as world(object.union(change, {"policy_open": true}))
	}
}

test_blind_proves_nothing if {
	endpoint_policy.scope == {"e"} with input as blind({}, ["policy_open"])
	endpoint_policy.fail == set() with input as blind({}, ["policy_open"])
	endpoint_policy.scope == set() with input as blind({"policy_open": true}, ["policy_supported"])
	endpoint_policy.scope == {"e"} with input as blind({"endpoint_type": "gateway"}, ["policy_supported"])
}
