package policies.encryption.secret_cmk_test

import data.policies.encryption.secret_cmk
import rego.v1

secret := {"id": "s", "credential_type": "secret", "managed_by": "", "key_manager": "customer"}

world(changes) := {"resources": {"credential": [object.union(secret, changes)]}}

blind(facts) := {"resources": {"credential": [object.remove(object.union(secret, {"key_manager": "provider"}), facts)]}}

test_fails if {
	secret_cmk.fail == {{
		"id": "s", "fact": "key_manager", "expected": "customer",
		"message": "the key that encrypts it is the provider's own, not customer-managed",
	}} with input as world({"key_manager": "provider"})
}

test_passes if {
	secret_cmk.scope == {"s"} with input as world({})
	secret_cmk.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"credential_type": "access_key"}, {"managed_by": "directconnect"}] {
		secret_cmk.scope == set() with input as world(change)
		secret_cmk.fail == set() with input as world(object.union(change, {"key_manager": "provider"}))
	}
}

test_blind_proves_nothing if {
	every fact in ["credential_type", "managed_by", "key_manager"] {
		secret_cmk.fail == set() with input as blind([fact])
	}
}
