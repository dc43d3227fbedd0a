package policies.credentials.access_key_age_test

import data.policies.credentials.access_key_age
import rego.v1

credential := {
	"id": "k", "credential_type": "access_key", "active": true, "created": "2026-03-01T00:00:00Z",
	"last_used": "2026-03-31T10:00:00Z",
}

base := {"now": "2026-04-01T00:00:00Z", "params": {"credentials.access_key_age": {"max_days": 90, "unused_days": 45}}}

world(changes) := object.union(base, {"resources": {"credential": [object.union(credential, changes)]}})

blind(facts) := object.union(base, {"resources": {"credential": [object.remove(credential, facts)]}})

test_old_fails if {
	access_key_age.fail == {{
		"id": "k", "fact": "created", "expected": "at most 90 days ago",
		"message": "the key is 91 days old",
	}} with input as world({"created": "2025-12-31T00:00:00Z"})
}

test_unused_fails if {
	access_key_age.fail == {{
		"id": "k", "fact": "last_used", "expected": "at most 45 days ago",
		"message": "the key was not used for 46 days and still works",
	}} with input as world({"last_used": "2026-02-13T23:00:00+00:00"})
}

test_never_used_fails if {
	access_key_age.fail == {{
		"id": "k", "fact": "last_used", "expected": "at most 45 days ago",
		"message": "the key was never used in 59 days and still works",
	}} with input as world({"last_used": "never", "created": "2026-02-01T00:00:00Z"})
}

test_passes if {
	every change in [{}, {"created": "2026-01-01T00:00:00Z"}, {"last_used": "never"}] {
		access_key_age.scope == {"k"} with input as world(change)
		access_key_age.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	access_key_age.scope == set() with input as world({"active": false})
	access_key_age.fail == set() with input as world({"active": false, "created": "2020-01-01T00:00:00Z"})
}

test_blind_proves_nothing if {
	access_key_age.scope == {"k"} with input as blind(["created", "last_used"])
	access_key_age.fail == set() with input as blind(["created", "last_used"])
	access_key_age.scope == set() with input as blind(["active"])
}
