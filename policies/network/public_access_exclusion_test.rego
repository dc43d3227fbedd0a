package policies.network.public_access_exclusion_test

import data.policies.network.public_access_exclusion
import rego.v1

exclusion := {"id": "x", "excludes_accelerators": true, "exclusion_mode": "bidirectional"}

asked(resource) := {"resources": {"account": [resource]}}

world(changes) := asked(object.union(exclusion, changes))

test_fails if {
	public_access_exclusion.fail == {{
		"id": "x", "fact": "exclusion_mode", "expected": "egress",
		"message": "a network of accelerator nodes is left out of the block, in both directions",
	}} with input as world({})
}

test_passes if {
	every mode in ["egress", "none"] {
		public_access_exclusion.fail == set() with input as world({"exclusion_mode": mode})
		public_access_exclusion.scope == {"x"} with input as world({"exclusion_mode": mode})
	}
}

test_out_of_scope if {
	public_access_exclusion.scope == set() with input as world({"excludes_accelerators": false})
	public_access_exclusion.fail == set() with input as world({"excludes_accelerators": false})
}

test_blind_proves_nothing if {
	public_access_exclusion.fail == set() with input as asked(object.remove(exclusion, ["excludes_accelerators"]))
	public_access_exclusion.fail == set() with input as asked(object.remove(exclusion, ["exclusion_mode"]))
}
