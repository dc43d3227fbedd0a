package policies.exposure.function_public_test

import data.policies.exposure.function_public
import rego.v1

world(facts) := {"resources": {"workload": [object.union({"id": "f"}, facts)]}}

test_fails if {
	function_public.fail == {{
		"id": "f", "fact": "policy_public", "expected": "no",
		"message": "its policy lets anyone call it",
	}} with input as world({"policy_public": "yes"})
}

test_passes if {
	function_public.scope == {"f"} with input as world({"policy_public": "no"})
	function_public.fail == set() with input as world({"policy_public": "no"})
}

test_out_of_scope if {
	function_public.scope == set() with input as {"resources": {"workload": []}}
}

test_blind_proves_nothing if {
	function_public.fail == set() with input as world({})
}
