package policies.iam.unused_data_access_test

import data.policies.iam.unused_data_access
import rego.v1

role := {
	"id": "i", "name": "i", "identity_type": "role", "service_linked": false, "console_password": false, "active_keys": 0,
	"data_actions": ["s3:GetObject", "kms:Decrypt"], "created": "2025-01-01T00:00:00Z", "last_used": "2026-11-20T00:00:00Z",
}

params := {"iam.unused_data_access": {"max_days": 90, "break_glass": ["firefighter"]}}

world(changes) := {"now": "2026-11-30T00:00:00Z", "params": params, "resources": {"identity": [object.union(role, changes)]}}

blind(changes, facts) := {
	"now": "2026-11-30T00:00:00Z", "params": params,
	"resources": {"identity": [object.remove(object.union(role, changes), facts)]},
}

failure(message) := {{"id": "i", "fact": "last_used", "expected": "at most 90 days ago", "message": message}}

test_fails if {
	unused_data_access.fail == failure("was not used for 333 days, and may do kms:Decrypt, s3:GetObject") with input as world({"last_used": "2026-01-01T00:00:00Z"})
	unused_data_access.fail == failure("was not used in the 698 days since it was made, and may do kms:Decrypt, s3:GetObject") with input as world({"last_used": "never"})
}

test_fails_users_who_could_log_in if {
	every change in [{"console_password": true}, {"active_keys": 1}] {
		user := object.union({"identity_type": "user", "last_used": "2026-01-01T00:00:00Z"}, change)
		unused_data_access.fail == failure("was not used for 333 days, and may do kms:Decrypt, s3:GetObject") with input as world(user)
	}
}

test_passes if {
	unused_data_access.scope == {"i"} with input as world({})
	unused_data_access.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"service_linked": true}, {"data_actions": []}, {"identity_type": "user"}] {
		unused_data_access.scope == set() with input as world(object.union(change, {"last_used": "never"}))
		unused_data_access.fail == set() with input as world(object.union(change, {"last_used": "never"}))
	}
}

test_exempt if {
	unused_data_access.exempt == {{"id": "i", "reason": "it is not 90 days old"}} with input as world({"created": "2026-11-01T00:00:00Z"})
	unused_data_access.exempt == {{"id": "i", "reason": "a break-glass identity (break_glass)"}} with input as world({"name": "firefighter"})
	unused_data_access.exempt == set() with input as world({})
}

test_blind_proves_nothing if {
	unused_data_access.fail == set() with input as blind({"last_used": "never"}, ["created"])
	unused_data_access.fail == set() with input as blind({}, ["last_used"])
	every fact in ["identity_type", "service_linked", "data_actions"] {
		unused_data_access.scope == set() with input as blind({"last_used": "never"}, [fact])
	}
}
