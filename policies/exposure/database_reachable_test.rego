package policies.exposure.database_reachable_test

import data.policies.exposure.database_reachable
import rego.v1

store := {
	"id": "s", "store_type": "database", "internet_facing": true, "internet_sources": ["203.0.113.0/24"],
	"internet_sources_known": true,
}

params := {"exposure.database_reachable": {"widest_v4": 16, "widest_v6": 32}}

world(changes) := {"params": params, "resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"params": params, "resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	database_reachable.fail == {{
		"id": "s", "fact": "internet_sources", "expected": "nobody on the internet", "actual": "64.0.0.0/2",
		"message": "64.0.0.0/2 gets through to its port",
	}} with input as world({"internet_sources": ["64.0.0.0/2", "128.0.0.0/3"]})
}

test_passes if {
	every change in [{}, {"internet_sources": []}, {"store_type": "database_member"}] {
		database_reachable.scope == {"s"} with input as world(change)
		database_reachable.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"internet_facing": false}, {"store_type": "stream"}] {
		database_reachable.scope == set() with input as world(change)
		database_reachable.fail == set() with input as world(object.union(change, {"internet_sources": ["0.0.0.0/0"]}))
	}
}

test_blind_proves_nothing if {
	database_reachable.scope == {"s"} with input as blind(["internet_sources", "internet_sources_known"])
	database_reachable.fail == set() with input as blind(["internet_sources", "internet_sources_known"])
	every fact in ["store_type", "internet_facing"] {
		database_reachable.scope == set() with input as blind([fact])
		database_reachable.fail == set() with input as blind([fact])
	}
}
