package policies.network.model_isolated_test

import data.policies.network.model_isolated
import rego.v1

service := {
	"id": "m", "service_type": "model", "served": true, "model_ids": [], "network_isolation": true,
	"subnet_ids": ["s"],
}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_fails if {
	every kind in ["model", "endpoint_config"] {
		model_isolated.fail == {
			{
				"id": "m", "fact": "network_isolation", "expected": true,
				"message": "its containers may make network calls",
			},
			{
				"id": "m", "fact": "subnet_ids", "expected": "subnets of the customer",
				"message": "it is served from a network of the provider",
			},
		} with input as world({"network_isolation": false, "subnet_ids": [], "service_type": kind})
	}
}

test_passes if {
	model_isolated.fail == set() with input as world({})
	model_isolated.scope == {"m"} with input as world({})
}

test_out_of_scope if {
	every change in [
		{"served": false}, {"service_type": "endpoint"},
		{"service_type": "endpoint_config", "model_ids": ["x"]},
	] {
		model_isolated.scope == set() with input as world(object.union(change, {"subnet_ids": []}))
		model_isolated.fail == set() with input as world(object.union(change, {"subnet_ids": []}))
	}
}

test_blind_proves_nothing if {
	model_isolated.fail == set() with input as blind({}, ["network_isolation", "subnet_ids"])
	model_isolated.scope == set() with input as blind({}, ["served"])
	model_isolated.scope == set() with input as blind({"service_type": "endpoint_config"}, ["model_ids"])
}
