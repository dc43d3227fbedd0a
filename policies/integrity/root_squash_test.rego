package policies.integrity.root_squash_test

import data.policies.integrity.root_squash
import rego.v1

store := {"id": "s", "engine": "lustre", "data_tier": true, "root_squash": true}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	root_squash.fail == {{
		"id": "s", "fact": "root_squash", "expected": true,
		"message": "root on any client owns every file",
	}} with input as world({"root_squash": false})
}

test_passes if {
	every change in [{}] {
		root_squash.scope == {"s"} with input as world(change)
		root_squash.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"engine": "ontap"}, {"data_tier": false}] {
		root_squash.scope == set() with input as world(change)
		root_squash.fail == set() with input as world(object.union(change, {"root_squash": false}))
	}
}

test_blind_proves_nothing if {
	root_squash.scope == {"s"} with input as blind(["root_squash"])
	root_squash.fail == set() with input as blind(["root_squash"])
	every fact in ["engine", "data_tier"] {
		root_squash.scope == set() with input as blind([fact])
		root_squash.fail == set() with input as blind([fact])
	}
}
