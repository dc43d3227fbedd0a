package policies.network.hyperpod_private_test

import data.policies.network.hyperpod_private
import rego.v1

service := {
	"id": "c", "service_type": "cluster", "groups_routed_out": [],
	"instance_groups": [{"name": "workers", "subnet_ids": ["s"]}, {"name": "login", "subnet_ids": ["t"]}],
}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_no_network_fails if {
	hyperpod_private.fail == {{
		"id": "c", "fact": "instance_groups", "expected": "a network of the customer", "tag": "workers", "actual": [],
		"message": "the instance group workers stands in no network of the customer",
	}} with input as world({"instance_groups": [{"name": "workers", "subnet_ids": []}, {"name": "login", "subnet_ids": ["t"]}]})
}

test_a_route_out_fails if {
	hyperpod_private.fail == {{
		"id": "c", "fact": "groups_routed_out", "expected": [], "tag": "login", "actual": ["login"],
		"message": "a subnet of the instance group login routes to an internet gateway",
	}} with input as world({"groups_routed_out": ["login"]})
}

test_passes if {
	hyperpod_private.fail == set() with input as world({})
	hyperpod_private.scope == {"c"} with input as world({})
}

test_out_of_scope if {
	hyperpod_private.scope == set() with input as world({"service_type": "training_job", "groups_routed_out": ["a"]})
	hyperpod_private.fail == set() with input as world({"service_type": "training_job", "groups_routed_out": ["a"]})
}

test_blind_proves_nothing if {
	hyperpod_private.fail == set() with input as blind({}, ["groups_routed_out", "instance_groups"])
	hyperpod_private.scope == set() with input as blind({}, ["service_type"])
}
