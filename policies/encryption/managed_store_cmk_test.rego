package policies.encryption.managed_store_cmk_test

import data.policies.encryption.managed_store_cmk
import rego.v1

store := {"id": "s", "store_type": "database", "key_selectable": true, "key_manager": "customer"}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	managed_store_cmk.fail == {{
		"id": "s", "fact": "key_manager", "expected": "customer",
		"message": "nothing encrypts it at rest",
	}} with input as world({"key_manager": "none", "store_type": "cache"})
	managed_store_cmk.fail == {{
		"id": "s", "fact": "key_manager", "expected": "customer",
		"message": "the key that encrypts it is the provider's own, not customer-managed",
	}} with input as world({"key_manager": "provider"})
}

test_passes if {
	every type in ["database", "stream", "cache", "backup_vault"] {
		managed_store_cmk.scope == {"s"} with input as world({"store_type": type})
		managed_store_cmk.fail == set() with input as world({"store_type": type})
	}
}

test_out_of_scope if {
	every change in [{"store_type": "bucket"}, {"key_selectable": false}] {
		managed_store_cmk.scope == set() with input as world(change)
		managed_store_cmk.fail == set() with input as world(object.union(change, {"key_manager": "provider"}))
	}
}

test_blind_proves_nothing if {
	managed_store_cmk.scope == {"s"} with input as blind(["key_manager"])
	managed_store_cmk.fail == set() with input as blind(["key_manager"])
	every fact in ["store_type", "key_selectable"] {
		managed_store_cmk.scope == set() with input as blind([fact])
		managed_store_cmk.fail == set() with input as blind([fact])
	}
}
