package policies.integrity.images_signed_test

import data.policies.integrity.images_signed
import rego.v1

store := {"id": "r", "store_type": "registry", "image_signing": "rule"}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	images_signed.fail == {{
		"id": "r", "fact": "image_signing", "expected": "rule",
		"message": "no rule signs its images, and the newest one carries no signature",
	}} with input as world({"image_signing": "none"})
}

test_passes if {
	every how in ["rule", "image"] {
		images_signed.scope == {"r"} with input as world({"image_signing": how})
		images_signed.fail == set() with input as world({"image_signing": how})
	}
}

test_out_of_scope if {
	every change in [{"store_type": "bucket"}, {"image_signing": "empty"}] {
		images_signed.scope == set() with input as world(change)
		images_signed.fail == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	images_signed.fail == set() with input as blind(["image_signing"])
	images_signed.scope == set() with input as blind(["image_signing"])
	images_signed.scope == set() with input as blind(["store_type"])
}
