package policies.transit.filesystem_tls_test

import data.policies.transit.filesystem_tls
import rego.v1

store := {"id": "s", "store_type": "filesystem", "tls_only": true}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	filesystem_tls.fail == {{
		"id": "s", "fact": "tls_only", "expected": true,
		"message": "its policy does not turn away clients without TLS",
	}} with input as world({"tls_only": false})
}

test_passes if {
	every change in [{}] {
		filesystem_tls.scope == {"s"} with input as world(change)
		filesystem_tls.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"store_type": "scratch"}] {
		filesystem_tls.scope == set() with input as world(change)
		filesystem_tls.fail == set() with input as world(object.union(change, {"tls_only": false}))
	}
}

test_blind_proves_nothing if {
	filesystem_tls.scope == {"s"} with input as blind(["tls_only"])
	filesystem_tls.fail == set() with input as blind(["tls_only"])
	every fact in ["store_type"] {
		filesystem_tls.scope == set() with input as blind([fact])
		filesystem_tls.fail == set() with input as blind([fact])
	}
}
