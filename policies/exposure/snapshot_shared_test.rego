package policies.exposure.snapshot_shared_test

import data.policies.exposure.snapshot_shared
import rego.v1

store := {"id": "s", "store_type": "snapshot", "shared_publicly": false}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	snapshot_shared.fail == {{
		"id": "s", "fact": "shared_publicly", "expected": false,
		"message": "anyone may make a volume of it",
	}} with input as world({"shared_publicly": true})
}

test_passes if {
	snapshot_shared.scope == {"s"} with input as world({})
	snapshot_shared.fail == set() with input as world({})
}

test_out_of_scope if {
	snapshot_shared.scope == set() with input as world({"store_type": "volume"})
	snapshot_shared.fail == set() with input as world({"store_type": "volume", "shared_publicly": true})
}

test_blind_proves_nothing if {
	snapshot_shared.scope == {"s"} with input as blind(["shared_publicly"])
	snapshot_shared.fail == set() with input as blind(["shared_publicly"])
	snapshot_shared.scope == set() with input as blind(["store_type"])
}
