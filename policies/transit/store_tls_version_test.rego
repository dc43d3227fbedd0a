package policies.transit.store_tls_version_test

import data.policies.transit.store_tls_version
import rego.v1

store := {"id": "b", "store_type": "bucket", "tls_min_version": "1.2"}

params := {"transit.store_tls_version": {"min_version": "1.2"}}

world(changes) := {"params": params, "resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"params": params, "resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	store_tls_version.fail == {{
		"id": "b", "fact": "tls_min_version", "expected": "1.2 or later",
		"message": "its policy sets no minimum TLS version",
	}} with input as world({"tls_min_version": "any"})
	store_tls_version.fail == {{
		"id": "b", "fact": "tls_min_version", "expected": "1.2 or later",
		"message": "its policy admits TLS 1.1",
	}} with input as world({"tls_min_version": "1.1"})
}

test_passes if {
	every version in ["1.2", "1.3"] {
		store_tls_version.scope == {"b"} with input as world({"tls_min_version": version})
		store_tls_version.fail == set() with input as world({"tls_min_version": version})
	}
}

test_out_of_scope if {
	store_tls_version.scope == set() with input as world({"store_type": "volume"})
	store_tls_version.fail == set() with input as world({"store_type": "volume", "tls_min_version": "any"})
}

test_blind_proves_nothing if {
	store_tls_version.scope == {"b"} with input as blind(["tls_min_version"])
	store_tls_version.fail == set() with input as blind(["tls_min_version"])
	store_tls_version.scope == set() with input as blind(["store_type"])
}
