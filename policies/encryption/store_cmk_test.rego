package policies.encryption.store_cmk_test

import data.policies.encryption.store_cmk
import rego.v1

store := {"id": "s", "store_type": "bucket", "key_manager": "customer"}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	store_cmk.fail == {{
		"id": "s", "fact": "key_manager", "expected": "customer",
		"message": "nothing encrypts it at rest",
	}} with input as world({"key_manager": "none"})
	store_cmk.fail == {{
		"id": "s", "fact": "key_manager", "expected": "customer",
		"message": "the key that encrypts it is the provider's own, not customer-managed",
	}} with input as world({"key_manager": "provider", "store_type": "volume"})
}

test_passes if {
	every type in ["bucket", "volume", "snapshot", "filesystem", "database"] {
		store_cmk.scope == {"s"} with input as world({"store_type": type})
		store_cmk.fail == set() with input as world({"store_type": type})
	}
}

test_out_of_scope if {
	every type in ["volume_class", "scratch", "database_member"] {
		store_cmk.scope == set() with input as world({"store_type": type})
		store_cmk.fail == set() with input as world({"store_type": type, "key_manager": "none"})
	}
}

test_blind_proves_nothing if {
	store_cmk.scope == {"s"} with input as blind(["key_manager"])
	store_cmk.fail == set() with input as blind(["key_manager"])
	store_cmk.scope == set() with input as blind(["store_type"])
	store_cmk.fail == set() with input as blind(["store_type"])
}
