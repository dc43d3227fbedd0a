package policies.network.egress_firewall_test

import data.policies.network.egress_firewall
import rego.v1

exit(kind) := {"destination": "0.0.0.0/0", "target": "x", "target_type": kind}

table := {"id": "t", "serves_accelerators": true, "has_exit": true, "exits": [exit("endpoint")], "exits_inspected": true}

world(changes) := {"resources": {"route_table": [object.union(table, changes)]}}

test_fails if {
	egress_firewall.fail == {{
		"id": "t", "fact": "exits", "expected": "a route to a firewall", "tag": "0.0.0.0/0", "actual": exit("nat"),
		"message": "0.0.0.0/0 leaves by a NAT gateway, past every firewall",
	}} with input as world({"exits": [exit("nat"), exit("endpoint")]})
	every kind in ["internet_gateway", "egress_only_gateway"] {
		count(egress_firewall.fail) == 1 with input as world({"exits": [exit(kind)]})
	}
}

test_passes if {
	every kind in ["endpoint", "transit"] {
		egress_firewall.scope == {"t"} with input as world({"exits": [exit(kind)]})
		egress_firewall.fail == set() with input as world({"exits": [exit(kind)]})
	}
}

test_out_of_scope if {
	every change in [{"serves_accelerators": false}, {"has_exit": false}] {
		egress_firewall.scope == set() with input as world(object.union(change, {"exits": [exit("nat")]}))
		egress_firewall.fail == set() with input as world(object.union(change, {"exits": [exit("nat")]}))
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"route_table": [object.remove(table, ["exits", "exits_inspected"]), {"id": "u", "exits": [exit("nat")]}]}}
	egress_firewall.fail == set() with input as blind
	egress_firewall.seen == set() with input as blind
	egress_firewall.seen == {"t"} with input as world({})
}
