package policies.credentials.imported_key_expiry_test

import data.policies.credentials.imported_key_expiry
import rego.v1

key := {"id": "k", "manager": "customer", "origin": "external", "expires": "2026-06-01T00:00:00Z"}

base := {"now": "2026-04-01T00:00:00Z", "params": {"credentials.imported_key_expiry": {"min_days": 30}}}

world(changes) := object.union(base, {"resources": {"key": [object.union(key, changes)]}})

blind(facts) := object.union(base, {"resources": {"key": [object.remove(key, facts)]}})

test_fails if {
	imported_key_expiry.fail == {{
		"id": "k", "fact": "expires", "expected": "in 30 days or later, or never",
		"message": "the key material expires on 2026-04-20",
	}} with input as world({"expires": "2026-04-20T12:00:00Z"})
}

test_a_key_without_material_fails if {
	imported_key_expiry.fail == {{
		"id": "k", "fact": "expires", "expected": "in 30 days or later, or never",
		"message": "the key has no material: it expired, or was never imported",
	}} with input as world({"expires": "missing"})
}

test_passes if {
	every expires in ["never", "2026-05-01T00:00:00Z", "2027-01-01T00:00:00Z"] {
		imported_key_expiry.scope == {"k"} with input as world({"expires": expires})
		imported_key_expiry.fail == set() with input as world({"expires": expires})
	}
}

test_out_of_scope if {
	every change in [{"origin": "provider"}, {"origin": "hsm"}, {"manager": "provider"}] {
		imported_key_expiry.scope == set() with input as world(change)
		imported_key_expiry.fail == set() with input as world(object.union(change, {"expires": "2026-04-02T00:00:00Z"}))
	}
}

test_blind_proves_nothing if {
	imported_key_expiry.scope == {"k"} with input as blind(["expires"])
	imported_key_expiry.fail == set() with input as blind(["expires"])
	imported_key_expiry.scope == set() with input as blind(["origin"])
}
