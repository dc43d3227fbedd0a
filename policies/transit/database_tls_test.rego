package policies.transit.database_tls_test

import data.policies.transit.database_tls
import rego.v1

store := {"id": "s", "store_type": "database", "engine": "postgres", "tls_only": true}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	database_tls.fail == {{
		"id": "s", "fact": "tls_only", "expected": true,
		"message": "its parameters let clients speak clear text",
	}} with input as world({"tls_only": false})
}

test_passes if {
	every change in [{}, {"engine": "aurora-mysql"}, {"engine": "sqlserver-ee"}, {"engine": "custom-sqlserver-ee"}] {
		database_tls.scope == {"s"} with input as world(change)
		database_tls.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"store_type": "database_member"}, {"engine": "oracle-ee"}, {"engine": "custom-oracle-ee"}, {"engine": "db2-se"}] {
		database_tls.scope == set() with input as world(change)
		database_tls.fail == set() with input as world(object.union(change, {"tls_only": false}))
	}
}

test_blind_proves_nothing if {
	database_tls.scope == {"s"} with input as blind(["tls_only"])
	database_tls.fail == set() with input as blind(["tls_only"])
	every fact in ["store_type", "engine"] {
		database_tls.scope == set() with input as blind([fact])
		database_tls.fail == set() with input as blind([fact])
	}
}
