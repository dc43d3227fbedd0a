package policies.exposure.registry_policy_public_test

import data.policies.exposure.registry_policy_public
import rego.v1

world(facts) := {"resources": {"account": [object.union({"id": "a"}, facts)]}}

test_fails if {
	registry_policy_public.fail == {{
		"id": "a", "fact": "policy_public", "expected": "no",
		"message": "the registry's policy lets anyone in",
	}} with input as world({"policy_public": "yes"})
}

test_passes if {
	registry_policy_public.scope == {"a"} with input as world({"policy_public": "no"})
	registry_policy_public.fail == set() with input as world({"policy_public": "no"})
}

test_out_of_scope if {
	registry_policy_public.scope == set() with input as {"resources": {"account": []}}
}

test_blind_proves_nothing if {
	registry_policy_public.fail == set() with input as world({})
}
