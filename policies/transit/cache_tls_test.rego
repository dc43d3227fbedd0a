package policies.transit.cache_tls_test

import data.policies.transit.cache_tls
import rego.v1

store := {"id": "s", "engine": "redis", "tls_required": true}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	cache_tls.fail == {{
		"id": "s", "fact": "tls_required", "expected": true,
		"message": "clients may speak clear text",
	}} with input as world({"tls_required": false})
}

test_passes if {
	# an engine that nobody knows yet is no reason to pass it by
	every change in [{}, {"engine": "valkey"}, {"engine": "later"}] {
		cache_tls.scope == {"s"} with input as world(change)
		cache_tls.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"engine": "memcached"}] {
		cache_tls.scope == set() with input as world(change)
		cache_tls.fail == set() with input as world(object.union(change, {"tls_required": false}))
	}
}

test_blind_proves_nothing if {
	cache_tls.scope == {"s"} with input as blind(["tls_required"])
	cache_tls.fail == set() with input as blind(["tls_required"])
	every fact in ["engine"] {
		cache_tls.scope == set() with input as blind([fact])
		cache_tls.fail == set() with input as blind([fact])
	}
}
