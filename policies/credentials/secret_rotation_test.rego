package policies.credentials.secret_rotation_test

import data.policies.credentials.secret_rotation
import rego.v1

secret := {
	"id": "s", "credential_type": "secret", "managed_by": "", "replica": false, "rotation_enabled": true,
	"rotation_days": 30, "last_rotated": "2026-11-10T00:00:00Z", "last_changed": "2026-11-10T00:00:00Z",
}

params := {"credentials.secret_rotation": {"max_days": 90, "late_days": 7}}

now := "2026-11-30T00:00:00Z"

world(changes) := {"now": now, "params": params, "resources": {"credential": [object.union(secret, changes)]}}

blind(changes, facts) := {
	"now": now, "params": params,
	"resources": {"credential": [object.remove(object.union(secret, changes), facts)]},
}

off := {
	"id": "s", "fact": "rotation_enabled", "expected": true, "tag": "off",
	"message": "it does not rotate automatically",
}

test_off_fails if {
	secret_rotation.fail == {off} with input as world({"rotation_enabled": false, "rotation_days": 0, "last_rotated": "never"})
}

test_slow_schedule_fails if {
	secret_rotation.fail == {{
		"id": "s", "fact": "rotation_days", "expected": "at most 90", "tag": "schedule",
		"message": "it rotates only every 365 days",
	}} with input as world({"rotation_days": 365})
}

test_old_fails if {
	secret_rotation.fail == {{
		"id": "s", "fact": "last_rotated", "expected": "at most 90 days ago", "tag": "age",
		"message": "it last rotated 121 days ago",
	}} with input as world({"last_rotated": "2026-08-01T00:00:00Z"})
}

test_late_fails if {
	secret_rotation.fail == {{
		"id": "s", "fact": "last_rotated", "expected": "at most 37 days ago", "tag": "late",
		"message": "it should rotate every 30 days and last did 60 days ago",
	}} with input as world({"last_rotated": "2026-10-01T00:00:00Z"})
}

test_never_rotated_fails_once_it_is_old if {
	secret_rotation.fail == {{
		"id": "s", "fact": "last_rotated", "expected": "at most 90 days ago", "tag": "age",
		"message": "it has never rotated, and was last changed 121 days ago",
	}} with input as world({"last_rotated": "never", "last_changed": "2026-08-01T00:00:00Z"})
}

test_passes if {
	every change in [{}, {"last_rotated": "never"}, {"last_rotated": "2026-10-25T00:00:00Z"}, {"rotation_days": 90}] {
		secret_rotation.scope == {"s"} with input as world(change)
		secret_rotation.fail == set() with input as world(change)
	}
}

test_a_planned_one_is_settled_by_its_schedule if {
	planned := {"id": "plan/s", "last_rotated": "never"}
	secret_rotation.safe == {"plan/s"} with input as blind(planned, ["last_changed"])
	secret_rotation.safe == set() with input as blind(object.union(planned, {"rotation_days": 365}), ["last_changed"])
	secret_rotation.safe == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"credential_type": "access_key"}, {"managed_by": "rds"}, {"replica": true}] {
		secret_rotation.scope == set() with input as world(change)
		secret_rotation.fail == set() with input as world(object.union(change, {"rotation_enabled": false}))
		secret_rotation.safe == set() with input as world(object.union(change, {"id": "plan/s", "last_rotated": "never"}))
	}
}

test_blind_proves_nothing if {
	old := {"last_rotated": "never", "last_changed": "2026-08-01T00:00:00Z", "rotation_days": 365}
	every fact in ["credential_type", "managed_by", "replica", "rotation_enabled"] {
		secret_rotation.fail == set() with input as blind(old, [fact])
	}
	secret_rotation.fail == set() with input as blind({}, ["last_rotated", "last_changed", "rotation_days"])
	secret_rotation.safe == set() with input as blind({"id": "plan/s", "last_rotated": "never"}, ["rotation_days"])
	secret_rotation.safe == set() with input as blind({"id": "plan/s"}, ["last_rotated"])
}
