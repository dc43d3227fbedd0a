package policies.exposure.database_public_test

import data.policies.exposure.database_public
import rego.v1

store := {"id": "s", "store_type": "database", "internet_facing": false}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	database_public.fail == {{
		"id": "s", "fact": "internet_facing", "expected": false,
		"message": "it has an address that the internet can reach",
	}} with input as world({"internet_facing": true})
}

test_passes if {
	every change in [{}, {"store_type": "database_member"}] {
		database_public.scope == {"s"} with input as world(change)
		database_public.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"store_type": "bucket"}] {
		database_public.scope == set() with input as world(change)
		database_public.fail == set() with input as world(object.union(change, {"internet_facing": true}))
	}
}

test_blind_proves_nothing if {
	database_public.scope == {"s"} with input as blind(["internet_facing"])
	database_public.fail == set() with input as blind(["internet_facing"])
	every fact in ["store_type"] {
		database_public.scope == set() with input as blind([fact])
		database_public.fail == set() with input as blind([fact])
	}
}
