package policies.integrity.store_object_lock_test

import data.policies.integrity.store_object_lock
import rego.v1

store := {
	"id": "b", "store_type": "bucket", "golden": true,
	"object_lock": "compliance", "aws": {"mfa_delete": false},
}

params := {"integrity.store_object_lock": {"modes": ["compliance", "governance"]}}

world(changes) := {"params": params, "resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"params": params, "resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	store_object_lock.fail == {{
		"id": "b", "fact": "object_lock", "expected": "compliance or governance",
		"message": "no default retention locks its objects",
	}} with input as world({"object_lock": "none"})
}

test_strict_fails if {
	strict := {"params": {"integrity.store_object_lock": {"modes": ["compliance"]}}}
	store_object_lock.fail == {{
		"id": "b", "fact": "object_lock", "expected": "compliance",
		"message": "its default retention is governance, which may be bypassed",
	}} with input as object.union(world({"object_lock": "governance"}), strict)
}

test_passes if {
	every mode in ["compliance", "governance"] {
		store_object_lock.scope == {"b"} with input as world({"object_lock": mode})
		store_object_lock.fail == set() with input as world({"object_lock": mode})
	}
}

test_mfa_delete_passes if {
	found := world({"object_lock": "none", "aws": {"mfa_delete": true}})
	store_object_lock.safe == {"b"} with input as found
	store_object_lock.fail == set() with input as found
}

test_either_is_enough if {
	store_object_lock.safe == {"b"} with input as blind(["aws"])
	store_object_lock.safe == set() with input as world({"object_lock": "none"})
}

test_out_of_scope if {
	every change in [{"golden": false}, {"store_type": "volume"}] {
		store_object_lock.scope == set() with input as world(change)
		store_object_lock.fail == set() with input as world(object.union(change, {"object_lock": "none"}))
	}
}

test_blind_proves_nothing if {
	store_object_lock.scope == {"b"} with input as blind(["object_lock"])
	store_object_lock.fail == set() with input as blind(["object_lock"])
	blank := {"params": params, "resources": {"data_store": [object.remove(object.union(store, {"object_lock": "none"}), ["aws"])]}}
	store_object_lock.fail == set() with input as blank
	store_object_lock.safe == set() with input as blank
	store_object_lock.scope == set() with input as blind(["golden"])
}
