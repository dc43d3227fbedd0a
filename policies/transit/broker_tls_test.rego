package policies.transit.broker_tls_test

import data.policies.transit.broker_tls
import rego.v1

store := {"id": "s", "serverless": false, "tls_required": true, "internal_tls": true}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	broker_tls.fail == {
		{"id": "s", "fact": "tls_required", "expected": true, "message": "clients may speak clear text"},
		{"id": "s", "fact": "internal_tls", "expected": true, "message": "brokers speak clear text with each other"},
	} with input as world({"tls_required": false, "internal_tls": false})
}

test_passes if {
	broker_tls.scope == {"s"} with input as world({})
	broker_tls.fail == set() with input as world({})
}

test_out_of_scope if {
	broker_tls.scope == set() with input as world({"serverless": true})
	broker_tls.fail == set() with input as world({"serverless": true, "tls_required": false, "internal_tls": false})
}

test_blind_proves_nothing if {
	broker_tls.scope == {"s"} with input as blind(["tls_required", "internal_tls"])
	broker_tls.fail == set() with input as blind(["tls_required", "internal_tls"])
	broker_tls.scope == set() with input as blind(["serverless"])
	broker_tls.fail == set() with input as blind(["serverless"])
}
