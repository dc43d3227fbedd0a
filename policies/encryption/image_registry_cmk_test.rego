package policies.encryption.image_registry_cmk_test

import data.policies.encryption.image_registry_cmk
import rego.v1

store := {"id": "r", "store_type": "registry", "key_manager": "customer"}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	image_registry_cmk.fail == {{
		"id": "r", "fact": "key_manager", "expected": "customer",
		"message": "the key that encrypts its images is the provider's own, not customer-managed",
	}} with input as world({"key_manager": "provider"})
}

test_passes if {
	image_registry_cmk.scope == {"r"} with input as world({})
	image_registry_cmk.fail == set() with input as world({})
}

test_out_of_scope if {
	image_registry_cmk.scope == set() with input as world({"store_type": "queue", "key_manager": "none"})
	image_registry_cmk.fail == set() with input as world({"store_type": "queue", "key_manager": "none"})
}

test_blind_proves_nothing if {
	image_registry_cmk.fail == set() with input as blind(["key_manager"])
	image_registry_cmk.scope == set() with input as blind(["store_type"])
}
