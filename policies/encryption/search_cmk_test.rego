package policies.encryption.search_cmk_test

import data.policies.encryption.search_cmk
import rego.v1

store := {"id": "s", "store_type": "search", "deleting": false, "key_manager": "customer"}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(changes, facts) := {"resources": {"data_store": [object.remove(object.union(store, changes), facts)]}}

test_fails if {
	search_cmk.fail == {{
		"id": "s", "fact": "key_manager", "expected": "customer",
		"message": "nothing encrypts it at rest",
	}} with input as world({"key_manager": "none"})
	search_cmk.fail == {{
		"id": "s", "fact": "key_manager", "expected": "customer",
		"message": "the key that encrypts it is the provider's own, not customer-managed",
	}} with input as blind({"key_manager": "provider", "store_type": "vectors"}, ["deleting"])
}

test_passes if {
	every change in [{}, {"store_type": "vectors"}] {
		search_cmk.scope == {"s"} with input as world(change)
		search_cmk.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"store_type": "bucket"}, {"deleting": true}] {
		search_cmk.scope == set() with input as world(change)
		search_cmk.fail == set() with input as world(object.union(change, {"key_manager": "none"}))
	}
}

test_blind_proves_nothing if {
	search_cmk.fail == set() with input as blind({}, ["key_manager"])
	search_cmk.scope == set() with input as blind({}, ["deleting"])
	search_cmk.fail == set() with input as blind({"key_manager": "none"}, ["deleting"])
	search_cmk.scope == set() with input as blind({}, ["store_type"])
}
