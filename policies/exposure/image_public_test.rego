package policies.exposure.image_public_test

import data.policies.exposure.image_public
import rego.v1

store := {"id": "i", "store_type": "image", "shared_publicly": false}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	image_public.fail == {{"id": "i", "fact": "shared_publicly", "expected": false, "message": "anyone may start it"}} with input as world({"shared_publicly": true})
}

test_passes if {
	image_public.scope == {"i"} with input as world({})
	image_public.fail == set() with input as world({})
}

test_out_of_scope if {
	image_public.scope == set() with input as world({"store_type": "snapshot", "shared_publicly": true})
	image_public.fail == set() with input as world({"store_type": "snapshot", "shared_publicly": true})
}

test_blind_proves_nothing if {
	image_public.fail == set() with input as blind(["shared_publicly"])
	image_public.scope == set() with input as blind(["store_type"])
}
