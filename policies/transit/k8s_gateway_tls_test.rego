package policies.transit.k8s_gateway_tls_test

import data.policies.transit.k8s_gateway_tls
import rego.v1

thing := {"id": "g", "endpoint_type": "gateway", "clear_listeners": [], "clear_listeners_settled": true}

world(changes) := {"resources": {"endpoint": [object.union(thing, changes)]}}

listeners := [{"name": "http", "port": 80, "protocol": "HTTP", "through": "r"}, {"name": "db", "port": 5432, "protocol": "TCP", "through": ""}]

bad := object.union(thing, {"clear_listeners": listeners})

test_in_clear_fails if {
	found := listeners
	k8s_gateway_tls.fail == {
		{
			"id": "g", "fact": "clear_listeners", "expected": [], "actual": [found[0]],
			"message": "http on port 80 serves in clear (HTTP)", "tag": "http 80",
		},
		{
			"id": "g", "fact": "clear_listeners", "expected": [], "actual": [found[1]],
			"message": "db on port 5432 serves in clear (TCP)", "tag": "db 5432",
		},
	} with input as world({"clear_listeners": found})
}

test_sound_passes if {
	k8s_gateway_tls.fail == set() with input as world({})
	k8s_gateway_tls.scope == {"g"} with input as world({})
}

test_services_are_out_of_scope if {
	k8s_gateway_tls.scope == set() with input as world({"endpoint_type": "service"})
}

test_other_kinds_are_out_of_scope if {
	k8s_gateway_tls.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_gateway_tls.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["endpoint_type", "clear_listeners"] {
		blind := {"resources": {"endpoint": [object.remove(bad, [fact])]}}
		k8s_gateway_tls.fail == set() with input as blind
	}
}
