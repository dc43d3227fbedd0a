package policies.exposure.database_snapshot_shared_test

import data.policies.exposure.database_snapshot_shared
import rego.v1

store := {"id": "s", "store_type": "snapshot", "shared_publicly": false}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	database_snapshot_shared.fail == {{
		"id": "s", "fact": "shared_publicly", "expected": false,
		"message": "anyone may restore it",
	}} with input as world({"shared_publicly": true})
}

test_passes if {
	every change in [{}] {
		database_snapshot_shared.scope == {"s"} with input as world(change)
		database_snapshot_shared.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"store_type": "database"}] {
		database_snapshot_shared.scope == set() with input as world(change)
		database_snapshot_shared.fail == set() with input as world(object.union(change, {"shared_publicly": true}))
	}
}

test_blind_proves_nothing if {
	database_snapshot_shared.scope == {"s"} with input as blind(["shared_publicly"])
	database_snapshot_shared.fail == set() with input as blind(["shared_publicly"])
	every fact in ["store_type"] {
		database_snapshot_shared.scope == set() with input as blind([fact])
		database_snapshot_shared.fail == set() with input as blind([fact])
	}
}
