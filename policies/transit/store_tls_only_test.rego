package policies.transit.store_tls_only_test

import data.policies.transit.store_tls_only
import rego.v1

store := {"id": "b", "store_type": "bucket", "tls_only": true}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	store_tls_only.fail == {{
		"id": "b", "fact": "tls_only", "expected": true,
		"message": "its policy does not deny every request without TLS",
	}} with input as world({"tls_only": false})
}

test_passes if {
	store_tls_only.scope == {"b"} with input as world({})
	store_tls_only.fail == set() with input as world({})
}

test_out_of_scope if {
	store_tls_only.scope == set() with input as world({"store_type": "volume"})
	store_tls_only.fail == set() with input as world({"store_type": "volume", "tls_only": false})
}

test_blind_proves_nothing if {
	store_tls_only.scope == {"b"} with input as blind(["tls_only"])
	store_tls_only.fail == set() with input as blind(["tls_only"])
	store_tls_only.scope == set() with input as blind(["store_type"])
}
