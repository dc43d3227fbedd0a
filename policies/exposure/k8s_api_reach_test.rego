package policies.exposure.k8s_api_reach_test

import data.policies.exposure.k8s_api_reach
import rego.v1

base := {"id": "x", "api_reach": "private"}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_public_fails if {
	found := {{"id": "x", "fact": "api_reach", "expected": "private, or narrow blocks", "message": "its API server has a public address, and nothing that was seen narrows it"}}
	k8s_api_reach.fail == found with input as world({"api_reach": "public"})
	k8s_api_reach.scope == {"x"} with input as world({"api_reach": "public"})
}

test_sound_passes if {
	k8s_api_reach.fail == set() with input as world({})
	k8s_api_reach.scope == {"x"} with input as world({})
}

test_narrowed_passes if {
	k8s_api_reach.fail == set() with input as world({"api_reach": "narrowed"})
	k8s_api_reach.scope == {"x"} with input as world({"api_reach": "narrowed"})
}

test_other_kinds_are_out_of_scope if {
	k8s_api_reach.scope == set() with input as {"resources": {"other": [base]}}
}

test_blind_proves_nothing if {
	bad := object.union(base, {"api_reach": "public"})
	blind := {"resources": {"cluster": [object.remove(bad, ["api_reach"])]}}
	k8s_api_reach.fail == set() with input as blind
}
