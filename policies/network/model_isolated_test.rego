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

test_an_isolated_model_is_right_whoever_serves_it if {
	model_isolated.safe == {"m"} with input as blind({}, ["served"])
	every change in [{"network_isolation": false}, {"subnet_ids": []}, {"service_type": "endpoint_config"}] {
		model_isolated.safe == set() with input as world(change)
	}
	every fact in ["network_isolation", "subnet_ids", "service_type"] {
		model_isolated.safe == set() with input as blind({}, [fact])
	}
}

test_a_configuration_of_models_is_left_to_them if {
	named := {"service_type": "endpoint_config", "model_ids": ["x"]}
	model_isolated.exempt == {{"id": "m", "reason": "its models are judged one by one"}} with input as world(named)
	model_isolated.exempt == set() with input as world({"service_type": "endpoint_config"})
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
