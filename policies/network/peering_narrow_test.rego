package policies.network.peering_narrow_test

import data.policies.network.peering_narrow
import rego.v1

route := {"table": "rtb", "destinations": ["10.32.0.0/16"], "covers": "10.32.0.0/16"}

link := {"id": "pcx", "link_type": "peering", "wide_routes": [], "wide_routes_known": true}

world(changes) := {"resources": {"link": [object.union(link, changes)]}}

test_fails if {
	found := route
	peering_narrow.fail == {{
		"id": "pcx", "fact": "wide_routes", "expected": "routes to single subnets", "tag": "rtb", "actual": found,
		"message": "rtb routes 10.32.0.0/16 over it, which covers 10.32.0.0/16",
	}} with input as world({"wide_routes": [found]})
}

test_passes if {
	peering_narrow.scope == {"pcx"} with input as world({})
	peering_narrow.fail == set() with input as world({})
}

test_out_of_scope if {
	peering_narrow.scope == set() with input as world({"link_type": "vpn", "wide_routes": [route]})
	peering_narrow.fail == set() with input as world({"link_type": "vpn", "wide_routes": [route]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"link": [{"id": "pcx", "link_type": "peering"}]}}
	peering_narrow.fail == set() with input as blind
	peering_narrow.seen == set() with input as blind
	peering_narrow.seen == {"pcx"} with input as world({})
}
