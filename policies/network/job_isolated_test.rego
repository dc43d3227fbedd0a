package policies.network.job_isolated_test

import data.policies.network.job_isolated
import rego.v1

service := {"id": "j", "service_type": "training_job", "serverless": false, "subnet_ids": ["s"], "internet_route": false}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_no_network_fails if {
	every kind in ["training_job", "processing_job", "monitoring"] {
		job_isolated.fail == {{
			"id": "j", "fact": "subnet_ids", "expected": "subnets of the customer",
			"message": "it runs in a network of the provider, open to the internet",
		}} with input as world({"subnet_ids": [], "service_type": kind})
	}
}

test_a_route_out_fails if {
	job_isolated.fail == {{
		"id": "j", "fact": "internet_route", "expected": false,
		"message": "a subnet that it runs in routes to an internet gateway",
	}} with input as world({"internet_route": true})
}

test_passes if {
	job_isolated.fail == set() with input as world({})
	job_isolated.scope == {"j"} with input as world({})
}

test_out_of_scope if {
	every change in [{"serverless": true}, {"service_type": "model"}] {
		job_isolated.scope == set() with input as world(object.union(change, {"subnet_ids": []}))
		job_isolated.fail == set() with input as world(object.union(change, {"subnet_ids": []}))
	}
}

test_blind_proves_nothing if {
	job_isolated.fail == set() with input as blind({}, ["subnet_ids", "internet_route"])
	job_isolated.scope == set() with input as blind({}, ["serverless"])
}
