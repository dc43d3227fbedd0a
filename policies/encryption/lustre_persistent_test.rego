package policies.encryption.lustre_persistent_test

import data.policies.encryption.lustre_persistent
import rego.v1

store := {"id": "s", "engine": "lustre", "data_tier": true, "persistent": true}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	lustre_persistent.fail == {{
		"id": "s", "fact": "persistent", "expected": true,
		"message": "a scratch deployment takes no customer-managed key",
	}} with input as world({"persistent": false})
}

test_passes if {
	lustre_persistent.scope == {"s"} with input as world({})
	lustre_persistent.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"engine": "ontap"}, {"data_tier": false}] {
		lustre_persistent.scope == set() with input as world(change)
		lustre_persistent.fail == set() with input as world(object.union(change, {"persistent": false}))
	}
}

test_blind_proves_nothing if {
	lustre_persistent.scope == {"s"} with input as blind(["persistent"])
	lustre_persistent.fail == set() with input as blind(["persistent"])
	every fact in ["engine", "data_tier"] {
		lustre_persistent.scope == set() with input as blind([fact])
		lustre_persistent.fail == set() with input as blind([fact])
	}
}
