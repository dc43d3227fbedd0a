package policies.encryption.default_volume_encryption_test

import data.policies.encryption.default_volume_encryption
import rego.v1

account := {"id": "a", "in_use": true, "encrypted": true, "key_manager": "customer"}

world(changes) := {"resources": {"account": [object.union(account, changes)]}}

blind(facts) := {"resources": {"account": [object.remove(account, facts)]}}

test_off_fails if {
	default_volume_encryption.fail == {{
		"id": "a", "fact": "encrypted", "expected": true,
		"message": "new volumes are encrypted only where someone asks for it",
	}} with input as world({"encrypted": false, "key_manager": "none"})
}

test_provider_key_fails if {
	default_volume_encryption.fail == {{
		"id": "a", "fact": "key_manager", "expected": "customer",
		"message": "the default key of new volumes is the provider's own (alias/aws/ebs), not customer-managed",
	}} with input as world({"key_manager": "provider"})
}

test_passes if {
	default_volume_encryption.scope == {"a"} with input as world({})
	default_volume_encryption.fail == set() with input as world({})
}

test_unused_region_is_out_of_scope if {
	default_volume_encryption.scope == set() with input as world({"in_use": false})
	default_volume_encryption.fail == set() with input as world({"in_use": false, "encrypted": false})
}

test_blind_proves_nothing if {
	default_volume_encryption.scope == {"a"} with input as blind(["encrypted", "key_manager"])
	default_volume_encryption.fail == set() with input as blind(["encrypted", "key_manager"])
	default_volume_encryption.scope == set() with input as blind(["in_use"])
}
