package policies.integrity.store_replicated_test

import data.policies.integrity.store_replicated
import rego.v1

bucket := {"id": "b", "data_roles": ["model"], "replicated": true, "replica_keys": true, "key_manager": "customer"}

asked(resource) := {"resources": {"data_store": [resource]}, "params": {"integrity.store_replicated": {"roles": ["model"]}}}

world(changes) := asked(object.union(bucket, changes))

test_no_copy_fails if {
	store_replicated.fail == {{
		"id": "b", "fact": "replicated", "expected": true,
		"message": "no rule copies its objects to another bucket",
	}} with input as world({"replicated": false, "replica_keys": false})
}

test_no_key_fails if {
	store_replicated.fail == {{
		"id": "b", "fact": "replica_keys", "expected": true,
		"message": "objects under its customer-managed key are not copied, or the copies have no key named for them",
	}} with input as world({"replica_keys": false})
}

test_passes if {
	every change in [{}, {"key_manager": "provider", "replica_keys": false}] {
		store_replicated.fail == set() with input as world(change)
		store_replicated.safe == {"b"} with input as world(change)
	}
}

test_out_of_scope if {
	store_replicated.scope == set() with input as world({"data_roles": ["checkpoint"]})
	store_replicated.fail == set() with input as world({"data_roles": ["checkpoint"], "replicated": false})
	store_replicated.safe == set() with input as world({"data_roles": ["checkpoint"]})
}

test_blind_proves_nothing if {
	keyless := object.union(bucket, {"replica_keys": false})
	every fact in ["replicated", "replica_keys", "key_manager", "data_roles"] {
		store_replicated.fail == set() with input as asked(object.remove(keyless, [fact]))
		store_replicated.safe == set() with input as asked(object.remove(keyless, [fact]))
	}
}
