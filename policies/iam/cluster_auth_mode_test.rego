package policies.iam.cluster_auth_mode_test

import data.policies.iam.cluster_auth_mode
import rego.v1

cluster := {"id": "c", "aws": {"outpost": false}, "authentication_mode": "entries"}

world(changes) := {"params": {}, "resources": {"cluster": [object.union(cluster, changes)]}}

blind(facts) := {"params": {}, "resources": {"cluster": [object.remove(cluster, facts)]}}

test_fails if {
	cluster_auth_mode.fail == {{
		"id": "c", "fact": "authentication_mode", "expected": "entries",
		"message": "who gets in stands in a ConfigMap of the cluster alone, out of sight of AWS",
	}} with input as world({"authentication_mode": "config_map"})
}

test_passes if {
	every mode in ["entries", "both"] {
		cluster_auth_mode.scope == {"c"} with input as world({"authentication_mode": mode})
		cluster_auth_mode.fail == set() with input as world({"authentication_mode": mode})
	}
}

test_out_of_scope if {
	cluster_auth_mode.scope == set() with input as world({"aws": {"outpost": true}})
	cluster_auth_mode.fail == set() with input as world({"aws": {"outpost": true}, "authentication_mode": "config_map"})
}

test_blind_proves_nothing if {
	cluster_auth_mode.scope == {"c"} with input as blind(["authentication_mode"])
	cluster_auth_mode.fail == set() with input as blind(["authentication_mode"])
	cluster_auth_mode.scope == set() with input as blind(["aws"])
}
