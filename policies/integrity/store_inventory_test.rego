package policies.integrity.store_inventory_test

import data.policies.integrity.store_inventory
import rego.v1

bucket := {"id": "b", "golden": true, "inventory": "checksum"}

asked(resource) := {"resources": {"data_store": [resource]}, "params": {"integrity.store_inventory": {"levels": ["checksum"]}}}

world(changes) := asked(object.union(bucket, changes))

test_fails if {
	every level, message in {
		"none": "no inventory lists its objects elsewhere",
		"plain": "its inventory has neither checksums nor ETags",
		"etag": "its inventory has ETags, which prove no content, and no checksums",
	} {
		store_inventory.fail == {{"id": "b", "fact": "inventory", "expected": "checksum", "message": message}} with input as world({"inventory": level})
	}
}

test_passes if {
	store_inventory.fail == set() with input as world({})
	store_inventory.scope == {"b"} with input as world({})
	store_inventory.fail == set() with input as object.union(world({"inventory": "etag"}), {"params": {"integrity.store_inventory": {"levels": ["checksum", "etag"]}}})
}

test_out_of_scope if {
	store_inventory.scope == set() with input as world({"golden": false})
	store_inventory.fail == set() with input as world({"golden": false, "inventory": "none"})
}

test_blind_proves_nothing if {
	store_inventory.fail == set() with input as asked(object.remove(bucket, ["inventory"]))
	store_inventory.fail == set() with input as asked(object.remove(object.union(bucket, {"inventory": "none"}), ["golden"]))
}
