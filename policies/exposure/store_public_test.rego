package policies.exposure.store_public_test

import data.policies.exposure.store_public
import rego.v1

store := {
	"id": "b", "store_type": "bucket", "policy_public": "no", "policy_public_blocked": false, "acl_public": false,
	"acl_public_blocked": false,
}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(changes, facts) := {"resources": {"data_store": [object.remove(object.union(store, changes), facts)]}}

test_policy_fails if {
	store_public.fail == {{
		"id": "b", "fact": "policy_public", "expected": "no",
		"message": "its policy lets anyone in, and nothing blocks it",
	}} with input as world({"policy_public": "yes"})
	store_public.safe == set() with input as world({"policy_public": "yes"})
}

test_acl_fails if {
	store_public.fail == {{
		"id": "b", "fact": "acl_public", "expected": false,
		"message": "its ACL lets anyone in, and nothing blocks it",
	}} with input as world({"acl_public": true})
	store_public.safe == set() with input as world({"acl_public": true})
}

test_passes if {
	every change in [{}, {"policy_public": "yes", "policy_public_blocked": true}, {"acl_public": true, "acl_public_blocked": true}] {
		store_public.safe == {"b"} with input as world(change)
		store_public.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	store_public.scope == set() with input as world({"store_type": "volume"})
	store_public.fail == set() with input as world({"store_type": "volume", "policy_public": "yes"})
	store_public.safe == set() with input as world({"store_type": "volume"})
}

test_blocks_settle_what_was_denied if {
	blocked := {"policy_public_blocked": true, "acl_public_blocked": true}
	store_public.safe == {"b"} with input as blind(blocked, ["policy_public", "acl_public"])
	store_public.safe == {"b"} with input as blind({}, ["policy_public_blocked", "acl_public_blocked"])
}

test_blind_proves_nothing if {
	every pair in [["policy_public", "policy_public_blocked"], ["acl_public", "acl_public_blocked"]] {
		store_public.safe == set() with input as blind({}, pair)
		store_public.fail == set() with input as blind({}, pair)
	}
	store_public.fail == set() with input as blind({"policy_public": "yes"}, ["policy_public_blocked"])
	store_public.safe == set() with input as blind({"policy_public": "yes"}, ["policy_public_blocked"])
}
