package policies.ai.ray_head_exposed_test

import data.policies.ai.ray_head_exposed
import rego.v1

model_service := {"id": "m", "service_type": "ray", "exposed_by": [], "exposure_settled": true}

world(changes) := {"resources": {"model_service": [object.union(model_service, changes)]}}

way := {"way": "node port", "through": "s", "internet": "unknown", "ports": [8265, 10001], "paths": ["/"], "authenticated": "no"}

bad := {"exposed_by": [way]}

test_a_way_fails if {
	ray_head_exposed.fail == {{
		"id": "m", "fact": "exposed_by", "expected": "no way from outside the cluster",
		"actual": {"way": "node port", "through": "s", "ports": [8265, 10001]},
		"message": "s (node port) leads to ports of the head that run code: 8265, 10001",
	}} with input as world(bad)
}

test_every_way_counts if {
	found := ray_head_exposed.fail with input as world({"exposed_by": [way, object.union(way, {"way": "ingress", "through": "i", "ports": [8265]})]})
	{f.message | some f in found} == {
		"s (node port) leads to ports of the head that run code: 8265, 10001",
		"i (ingress) leads to ports of the head that run code: 8265",
	}
}

test_sound_passes if {
	ray_head_exposed.fail == set() with input as world({})
	ray_head_exposed.scope == {"m"} with input as world({})
}

test_other_services_are_out_of_scope if {
	ray_head_exposed.scope == set() with input as world(object.union(bad, {"service_type": "endpoint"}))
	ray_head_exposed.fail == set() with input as world(object.union(bad, {"service_type": "endpoint"}))
}

test_blind_proves_nothing if {
	every fact in ["service_type", "exposed_by"] {
		blind := {"resources": {"model_service": [object.remove(object.union(model_service, bad), [fact])]}}
		ray_head_exposed.fail == set() with input as blind
	}
}
