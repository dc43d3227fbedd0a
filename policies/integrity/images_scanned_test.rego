package policies.integrity.images_scanned_test

import data.policies.integrity.images_scanned
import rego.v1

store := {"id": "r", "store_type": "registry", "image_scanning": "on_push"}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	images_scanned.fail == {{
		"id": "r", "fact": "image_scanning", "expected": "on_push",
		"message": "its images are scanned only when somebody asks",
	}} with input as world({"image_scanning": "manual"})
}

test_passes if {
	every when in ["on_push", "continuous"] {
		images_scanned.scope == {"r"} with input as world({"image_scanning": when})
		images_scanned.fail == set() with input as world({"image_scanning": when})
	}
}

test_out_of_scope if {
	images_scanned.scope == set() with input as world({"store_type": "bucket", "image_scanning": "manual"})
	images_scanned.fail == set() with input as world({"store_type": "bucket", "image_scanning": "manual"})
}

test_blind_proves_nothing if {
	images_scanned.fail == set() with input as blind(["image_scanning"])
	images_scanned.scope == set() with input as blind(["store_type"])
}
