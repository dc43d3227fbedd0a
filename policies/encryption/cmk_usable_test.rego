package policies.encryption.cmk_usable_test

import data.policies.encryption.cmk_usable
import rego.v1

key := {"id": "k", "manager": "customer", "state": "enabled", "used_by": ["bucket", "volume"]}

world(changes) := {"resources": {"key": [object.union(key, changes)]}}

blind(changes, facts) := {"resources": {"key": [object.remove(object.union(key, changes), facts)]}}

test_fails if {
	cmk_usable.fail == {{
		"id": "k", "fact": "state", "expected": "enabled",
		"message": "the key is scheduled for deletion and still encrypts bucket and 1 more",
	}} with input as world({"state": "pending_deletion"})
	cmk_usable.fail == {{
		"id": "k", "fact": "state", "expected": "enabled",
		"message": "the key is disabled and still encrypts bucket",
	}} with input as world({"state": "disabled", "used_by": ["bucket"]})
}

test_passes if {
	cmk_usable.safe == {"k"} with input as world({})
	cmk_usable.fail == set() with input as world({})
}

test_unused_is_exempt if {
	cmk_usable.exempt == {{
		"id": "k",
		"reason": "nothing that was seen names the key",
	}} with input as world({"used_by": [], "state": "disabled"})
	cmk_usable.fail == set() with input as world({"used_by": [], "state": "disabled"})
	cmk_usable.exempt == set() with input as world({"used_by": []})
}

test_a_key_in_transit_is_not_judged_yet if {
	every state in ["creating", "updating"] {
		cmk_usable.exempt == {{"id": "k", "reason": "its state is changing: look again"}} with input as world({"state": state})
		cmk_usable.safe == set() with input as world({"state": state})
		cmk_usable.fail == set() with input as world({"state": state})
	}
}

test_out_of_scope if {
	cmk_usable.scope == set() with input as world({"manager": "provider"})
	cmk_usable.fail == set() with input as world({"manager": "provider", "state": "disabled"})
	cmk_usable.safe == set() with input as world({"manager": "provider"})
}

test_enabled_is_safe_whoever_uses_it if cmk_usable.safe == {"k"} with input as blind({}, ["used_by"])

test_blind_proves_nothing if {
	cmk_usable.fail == set() with input as blind({"state": "disabled"}, ["used_by"])
	cmk_usable.exempt == set() with input as blind({"state": "disabled"}, ["used_by"])
	cmk_usable.scope == {"k"} with input as blind({"state": "disabled"}, ["used_by"])
	cmk_usable.fail == set() with input as blind({}, ["state"])
	cmk_usable.safe == set() with input as blind({}, ["state"])
	cmk_usable.safe == set() with input as blind({}, ["manager"])
}
