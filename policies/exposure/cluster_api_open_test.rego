package policies.exposure.cluster_api_open_test

import data.policies.exposure.cluster_api_open
import rego.v1

cluster := {"id": "c", "api_public": true, "api_cidrs": ["203.0.113.0/24"]}

params := {"exposure.cluster_api_open": {"widest_v4": 16, "widest_v6": 32}}

world(changes) := {"params": params, "resources": {"cluster": [object.union(cluster, changes)]}}

blind(facts) := {"params": params, "resources": {"cluster": [object.remove(cluster, facts)]}}

test_fails if {
	every block in ["0.0.0.0/0", "::/0"] {
		cluster_api_open.fail == {{
			"id": "c", "fact": "api_cidrs", "expected": "narrow CIDRs, or no public endpoint",
			"message": sprintf("the API server is open to %s", [block]),
		}} with input as world({"api_cidrs": [block, "203.0.113.0/24"]})
	}
}

test_halves_fail if {
	cluster_api_open.fail == {{
		"id": "c", "fact": "api_cidrs", "expected": "narrow CIDRs, or no public endpoint",
		"message": "the API server is open to 0.0.0.0/1, 128.0.0.0/1",
	}} with input as world({"api_cidrs": ["128.0.0.0/1", "0.0.0.0/1"]})
}

test_no_cidr_fails if {
	cluster_api_open.fail == {{
		"id": "c", "fact": "api_cidrs", "expected": "narrow CIDRs, or no public endpoint",
		"message": "the API server is open to everyone: no CIDR narrows it",
	}} with input as world({"api_cidrs": []})
}

test_passes if {
	cluster_api_open.scope == {"c"} with input as world({})
	cluster_api_open.fail == set() with input as world({})
}

test_private_is_out_of_scope if {
	cluster_api_open.scope == set() with input as world({"api_public": false})
	cluster_api_open.fail == set() with input as world({"api_public": false, "api_cidrs": []})
}

test_blind_proves_nothing if {
	cluster_api_open.scope == {"c"} with input as blind(["api_cidrs"])
	cluster_api_open.fail == set() with input as blind(["api_cidrs"])
	cluster_api_open.scope == set() with input as blind(["api_public"])
}
