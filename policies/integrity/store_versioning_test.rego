package policies.integrity.store_versioning_test

import data.policies.integrity.store_versioning
import rego.v1

store := {"id": "b", "store_type": "bucket", "versioning": "enabled"}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	store_versioning.fail == {{
		"id": "b", "fact": "versioning", "expected": "enabled",
		"message": "keeps no old versions",
	}} with input as world({"versioning": "off"})
	store_versioning.fail == {{
		"id": "b", "fact": "versioning", "expected": "enabled",
		"message": "has stopped keeping old versions",
	}} with input as world({"versioning": "suspended"})
}

test_passes if {
	store_versioning.scope == {"b"} with input as world({})
	store_versioning.fail == set() with input as world({})
}

test_out_of_scope if {
	store_versioning.scope == set() with input as world({"store_type": "volume"})
	store_versioning.fail == set() with input as world({"store_type": "volume", "versioning": "off"})
}

test_blind_proves_nothing if {
	store_versioning.scope == {"b"} with input as blind(["versioning"])
	store_versioning.fail == set() with input as blind(["versioning"])
	store_versioning.scope == set() with input as blind(["store_type"])
}
