package policies.network.node_private_test

import data.policies.network.node_private
import rego.v1

node := {"id": "n", "accelerator": true, "public_addresses": [], "internet_route": false}

world(changes) := {"resources": {"node": [object.union(node, changes)]}}

blind(facts) := {"resources": {"node": [object.remove(node, facts)]}}

test_address_fails if {
	node_private.fail == {{
		"id": "n", "fact": "public_addresses", "expected": [],
		"message": "has the public address 198.51.100.7, 203.0.113.9",
	}} with input as world({"public_addresses": ["203.0.113.9", "198.51.100.7", "2001:db8::1"]})
}

test_address_to_come_fails if {
	node_private.fail == {{
		"id": "n", "fact": "public_addresses", "expected": [],
		"message": "is given a public address when it starts",
	}} with input as world({"public_addresses": ["assigned"]})
}

test_route_fails if {
	node_private.fail == {{
		"id": "n", "fact": "internet_route", "expected": false,
		"message": "its subnet has a route to an internet gateway",
	}} with input as world({"internet_route": true})
}

test_passes if {
	every change in [{}, {"public_addresses": ["2001:db8::1"]}] {
		node_private.scope == {"n"} with input as world(change)
		node_private.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	node_private.scope == set() with input as world({"accelerator": false})
	node_private.fail == set() with input as world({"accelerator": false, "internet_route": true})
}

test_blind_proves_nothing if {
	node_private.scope == {"n"} with input as blind(["public_addresses", "internet_route"])
	node_private.fail == set() with input as blind(["public_addresses", "internet_route"])
	node_private.scope == set() with input as blind(["accelerator"])
}
