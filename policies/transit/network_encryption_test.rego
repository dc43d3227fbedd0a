package policies.transit.network_encryption_test

import data.policies.transit.network_encryption
import rego.v1

params(required) := {"transit.network_encryption": {"required": required, "excluded": ["InternetGateway", "NatGateway"]}}

network := {"id": "v", "has_accelerators": true, "encryption_mode": "enforce", "encryption_exclusions": []}

world(required, changes) := {"params": params(required), "resources": {"network": [object.union(network, changes)]}}

test_monitor_fails if {
	network_encryption.fail == {{
		"id": "v", "fact": "encryption_mode", "expected": "enforce",
		"message": "encryption in transit is not enforced (monitor)",
	}} with input as world(false, {"encryption_mode": "monitor"})
}

test_none_fails_where_it_is_required if {
	network_encryption.fail == {{
		"id": "v", "fact": "encryption_mode", "expected": "enforce",
		"message": "encryption in transit is not enforced (none)",
	}} with input as world(true, {"encryption_mode": "none"})
}

test_exclusions_fail if {
	network_encryption.fail == {{
		"id": "v", "fact": "encryption_exclusions", "expected": ["InternetGateway", "NatGateway"], "actual": ["ElasticFileSystem", "VpcPeering"],
		"message": "lets clear text through for ElasticFileSystem, VpcPeering",
	}} with input as world(false, {"encryption_exclusions": ["NatGateway", "VpcPeering", "ElasticFileSystem"]})
}

test_passes if {
	every required in [true, false] {
		network_encryption.scope == {"v"} with input as world(required, {"encryption_exclusions": ["NatGateway"]})
		network_encryption.fail == set() with input as world(required, {"encryption_exclusions": ["NatGateway"]})
	}
}

test_out_of_scope if {
	every change in [{"has_accelerators": false, "encryption_mode": "monitor"}, {"encryption_mode": "none"}] {
		network_encryption.scope == set() with input as world(false, change)
		network_encryption.fail == set() with input as world(false, change)
	}
}

test_blind_proves_nothing if {
	blind := {"params": params(true), "resources": {"network": [{"id": "v", "has_accelerators": true}, {"id": "w", "encryption_mode": "monitor"}]}}
	network_encryption.scope == set() with input as blind
	network_encryption.fail == set() with input as blind
}
