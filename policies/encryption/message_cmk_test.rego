package policies.encryption.message_cmk_test

import data.policies.encryption.message_cmk
import rego.v1

store := {"id": "s", "store_type": "queue", "key_manager": "customer"}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	message_cmk.fail == {{
		"id": "s", "fact": "key_manager", "expected": "customer",
		"message": "nothing encrypts the messages in it",
	}} with input as world({"key_manager": "none", "store_type": "topic"})
	message_cmk.fail == {{
		"id": "s", "fact": "key_manager", "expected": "customer",
		"message": "the key that encrypts its messages is the provider's own, not customer-managed",
	}} with input as world({"key_manager": "provider"})
}

test_passes if {
	every type in ["queue", "topic", "stream"] {
		message_cmk.scope == {"s"} with input as world({"store_type": type})
		message_cmk.fail == set() with input as world({"store_type": type})
	}
}

test_out_of_scope if {
	message_cmk.scope == set() with input as world({"store_type": "bucket"})
	message_cmk.fail == set() with input as world({"store_type": "bucket", "key_manager": "none"})
}

test_blind_proves_nothing if {
	message_cmk.scope == {"s"} with input as blind(["key_manager"])
	message_cmk.fail == set() with input as blind(["key_manager"])
	message_cmk.scope == set() with input as blind(["store_type"])
}
