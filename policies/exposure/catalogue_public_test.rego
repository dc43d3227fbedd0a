package policies.exposure.catalogue_public_test

import data.policies.exposure.catalogue_public
import rego.v1

world(setting) := {"resources": {"account": [object.union({"id": "c"}, setting)]}}

test_fails if {
	catalogue_public.fail == {{
		"id": "c", "fact": "policy_public", "expected": "no",
		"message": "its policy lets anyone in",
	}} with input as world({"policy_public": "yes"})
}

test_passes if {
	catalogue_public.scope == {"c"} with input as world({"policy_public": "no"})
	catalogue_public.fail == set() with input as world({"policy_public": "no"})
}

test_out_of_scope if {
	catalogue_public.scope == set() with input as {"resources": {"data_store": [{"id": "s", "policy_public": "yes"}]}}
	catalogue_public.fail == set() with input as {"resources": {"data_store": [{"id": "s", "policy_public": "yes"}]}}
}

test_blind_proves_nothing if {
	catalogue_public.scope == {"c"} with input as world({})
	catalogue_public.fail == set() with input as world({})
}
