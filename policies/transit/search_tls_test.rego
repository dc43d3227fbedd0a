package policies.transit.search_tls_test

import data.policies.transit.search_tls
import rego.v1

store := {
	"id": "s", "store_type": "search", "deleting": false, "tls_required": true, "tls_versions": ["1.2", "1.3"],
	"internal_tls": true,
}

params := {"transit.search_tls": {"min_version": "1.2"}}

world(changes) := {"params": params, "resources": {"data_store": [object.union(store, changes)]}}

blind(changes, facts) := {"params": params, "resources": {"data_store": [object.remove(object.union(store, changes), facts)]}}

bad := {"tls_required": false, "tls_versions": ["1.0", "1.1", "1.2"], "internal_tls": false}

findings := {
	"tls_required": {
		"id": "s", "fact": "tls_required", "expected": true, "tag": "https",
		"message": "it answers over plain HTTP",
	},
	"tls_versions": {
		"id": "s", "fact": "tls_versions", "expected": "TLS 1.2 or later", "tag": "versions",
		"message": "accepts TLS 1.0, 1.1",
	},
	"internal_tls": {
		"id": "s", "fact": "internal_tls", "expected": true, "tag": "nodes",
		"message": "its nodes speak with each other in clear",
	},
}

test_each_fails if {
	found := findings
	worse := bad
	every fact, finding in found {
		search_tls.fail == {finding} with input as world({fact: worse[fact]})
	}
}

test_passes if {
	search_tls.scope == {"s"} with input as world({})
	search_tls.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"store_type": "cache"}, {"deleting": true}] {
		search_tls.scope == set() with input as world(object.union(bad, change))
		search_tls.fail == set() with input as world(object.union(bad, change))
	}
}

test_blind_proves_nothing if {
	every fact, finding in findings {
		search_tls.fail == set() with input as blind({}, [fact])
		not finding in search_tls.fail with input as blind(bad, [fact])
	}
	search_tls.fail == set() with input as blind(bad, ["deleting"])
	search_tls.fail == set() with input as blind(bad, ["store_type"])
}
