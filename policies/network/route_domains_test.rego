package policies.network.route_domains_test

import data.policies.network.route_domains
import rego.v1

params := {"network.route_domains": {"apart": ["management"]}}

way := {"zone": "management", "target": "vpc-m", "destination": "", "route_type": "propagated"}

table := {"id": "t", "associated_zones": ["training"], "reached_zones": [], "reached_zones_known": true}

world(changes) := {"params": params, "resources": {"route_table": [object.union(table, changes)]}}

test_fails if {
	found := way
	route_domains.fail == {{
		"id": "t", "fact": "reached_zones", "expected": "no route to another zone", "tag": "vpc-m", "actual": found,
		"message": "networks that train reach vpc-m (management) by a propagated route",
	}} with input as world({"reached_zones": [found]})
}

test_passes if {
	every ways in [[], [object.union(way, {"zone": "inspection"})], [object.union(way, {"zone": "training"})]] {
		route_domains.scope == {"t"} with input as world({"reached_zones": ways})
		route_domains.fail == set() with input as world({"reached_zones": ways})
	}
}

test_out_of_scope if {
	every zones in [[], ["management"]] {
		route_domains.scope == set() with input as world({"associated_zones": zones, "reached_zones": [way]})
		route_domains.fail == set() with input as world({"associated_zones": zones, "reached_zones": [way]})
	}
}

test_blind_proves_nothing if {
	blind := {"params": params, "resources": {"route_table": [{"id": "t", "associated_zones": ["training"]}, {"id": "u", "reached_zones": [way]}]}}
	route_domains.fail == set() with input as blind
	route_domains.seen == set() with input as blind
	route_domains.seen == {"t"} with input as world({})
}
