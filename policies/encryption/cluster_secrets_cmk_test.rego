package policies.encryption.cluster_secrets_cmk_test

import data.policies.encryption.cluster_secrets_cmk
import rego.v1

cluster := {"id": "x", "key_manager": "customer", "aws": {"outpost": false}}

world(changes) := {"resources": {"cluster": [object.union(cluster, changes)]}}

blind(facts) := {"resources": {"cluster": [object.remove(cluster, facts)]}}

test_fails if {
	every manager in ["none", "provider"] {
		cluster_secrets_cmk.fail == {{
			"id": "x", "fact": "key_manager", "expected": "customer",
			"message": "no customer-managed key encrypts its secrets",
		}} with input as world({"key_manager": manager})
	}
}

test_passes if {
	cluster_secrets_cmk.scope == {"x"} with input as world({})
	cluster_secrets_cmk.fail == set() with input as world({})
}

test_out_of_scope if cluster_secrets_cmk.scope == set() with input as {"resources": {"network": [cluster]}}

test_a_local_cluster_takes_no_key if {
	cluster_secrets_cmk.scope == set() with input as world({"aws": {"outpost": true}, "key_manager": "provider"})
	cluster_secrets_cmk.fail == set() with input as world({"aws": {"outpost": true}, "key_manager": "provider"})
}

test_blind_proves_nothing if {
	cluster_secrets_cmk.scope == {"x"} with input as blind(["key_manager"])
	cluster_secrets_cmk.fail == set() with input as blind(["key_manager"])
	cluster_secrets_cmk.scope == set() with input as blind(["aws"])
}
