package policies.encryption.metadata_cmk_test

import data.policies.encryption.metadata_cmk
import rego.v1

setting := {"id": "c", "catalogue_used": true, "key_manager": "customer", "password_key_manager": "customer"}

world(changes) := {"resources": {"account": [object.union(setting, changes)]}}

blind(changes, facts) := {"resources": {"account": [object.remove(object.union(setting, changes), facts)]}}

test_fails if {
	metadata_cmk.fail == {{
		"id": "c", "fact": "key_manager", "expected": "customer", "tag": "metadata",
		"message": "metadata is not encrypted",
	}} with input as world({"key_manager": "none"})
	metadata_cmk.fail == {{
		"id": "c", "fact": "password_key_manager", "expected": "customer", "tag": "passwords",
		"message": "passwords of connections are encrypted with a key of the provider's own",
	}} with input as world({"password_key_manager": "provider"})
	count(metadata_cmk.fail) == 2 with input as world({"key_manager": "provider", "password_key_manager": "none"})
}

test_passes if {
	metadata_cmk.scope == {"c"} with input as world({})
	metadata_cmk.fail == set() with input as world({})
}

test_out_of_scope if {
	metadata_cmk.scope == set() with input as world({"catalogue_used": false})
	metadata_cmk.fail == set() with input as world({"catalogue_used": false, "key_manager": "none"})
}

test_a_planned_one_is_judged if {
	metadata_cmk.scope == {"plan/c"} with input as blind({"id": "plan/c"}, ["catalogue_used"])
	count(metadata_cmk.fail) == 1 with input as blind({"id": "plan/c", "key_manager": "none"}, ["catalogue_used"])
}

test_blind_proves_nothing if {
	metadata_cmk.fail == set() with input as blind({"key_manager": "none"}, ["key_manager"])
	metadata_cmk.fail == set() with input as blind({"password_key_manager": "none"}, ["password_key_manager"])
	metadata_cmk.scope == set() with input as blind({}, ["catalogue_used"])
	metadata_cmk.fail == set() with input as blind({"key_manager": "none"}, ["catalogue_used"])
}
