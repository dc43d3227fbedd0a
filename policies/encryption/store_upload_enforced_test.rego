package policies.encryption.store_upload_enforced_test

import data.policies.encryption.store_upload_enforced
import rego.v1

bucket := {"id": "b", "holds_data": true, "upload_key_enforced": true, "customer_keys_refused": true}

asked(resource) := {"resources": {"data_store": [resource]}}

world(changes) := asked(object.union(bucket, changes))

test_any_key_fails if {
	store_upload_enforced.fail == {{
		"id": "b", "fact": "upload_key_enforced", "tag": "key", "expected": true,
		"message": "uploads may name any key, such as one of another account",
	}} with input as world({"upload_key_enforced": false})
}

test_sse_c_fails if {
	store_upload_enforced.fail == {{
		"id": "b", "fact": "customer_keys_refused", "tag": "sse-c", "expected": true,
		"message": "uploads may bring a key of the caller's own (SSE-C)",
	}} with input as world({"customer_keys_refused": false})
}

test_passes if {
	store_upload_enforced.fail == set() with input as world({})
	store_upload_enforced.scope == {"b"} with input as world({})
}

test_out_of_scope if {
	store_upload_enforced.scope == set() with input as world({"holds_data": false})
	store_upload_enforced.fail == set() with input as world({"holds_data": false, "upload_key_enforced": false})
}

test_blind_proves_nothing if {
	open := object.union(bucket, {"upload_key_enforced": false, "customer_keys_refused": false})
	store_upload_enforced.fail == set() with input as asked(object.remove(open, ["holds_data"]))
	store_upload_enforced.fail == set() with input as asked(object.remove(open, ["upload_key_enforced", "customer_keys_refused"]))
}
