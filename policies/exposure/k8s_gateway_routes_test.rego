package policies.exposure.k8s_gateway_routes_test

import data.policies.exposure.k8s_gateway_routes
import rego.v1

thing := {
	"id": "g", "endpoint_type": "gateway", "several_tenants": true,
	"gateway_listeners": [
		{"name": "mine", "from": "Same", "hostname": ""},
		{"name": "chosen", "from": "Selector", "hostname": ""},
		{"name": "host", "from": "All", "hostname": "a.example"},
	],
}

world(changes) := {"resources": {"endpoint": [object.union(thing, changes)]}}

bad := object.union(thing, {"gateway_listeners": [{"name": "web", "from": "All", "hostname": ""}]})

test_everybody_fails if {
	open := world({"gateway_listeners": [{"name": "web", "from": "All", "hostname": ""}, {"name": "own", "from": "Same", "hostname": ""}]})
	k8s_gateway_routes.fail == {{
		"id": "g", "fact": "gateway_listeners", "expected": "Selector", "actual": "All",
		"message": "routes of every namespace may take any host of web", "tag": "web",
	}} with input as open
}

test_sound_passes if {
	k8s_gateway_routes.fail == set() with input as world({})
	k8s_gateway_routes.scope == {"g"} with input as world({})
}

test_one_tenant_is_out_of_scope if {
	k8s_gateway_routes.scope == set() with input as world({"several_tenants": false})
	k8s_gateway_routes.scope == set() with input as world({"endpoint_type": "service"})
}

test_other_kinds_are_out_of_scope if {
	k8s_gateway_routes.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_gateway_routes.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["endpoint_type", "several_tenants", "gateway_listeners"] {
		blind := {"resources": {"endpoint": [object.remove(bad, [fact])]}}
		k8s_gateway_routes.fail == set() with input as blind
	}
}
