package policies.credentials.k8s_extended_tokens_test

import data.policies.credentials.k8s_extended_tokens
import rego.v1

base := {"id": "x", "api_server": "here", "extends_tokens": false}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_a_year_fails if {
	found := {{"id": "x", "fact": "extends_tokens", "expected": false, "message": "tokens of pods live for a year"}}
	k8s_extended_tokens.fail == found with input as world({"extends_tokens": true})
	k8s_extended_tokens.scope == {"x"} with input as world({"extends_tokens": true})
}

test_sound_passes if {
	k8s_extended_tokens.fail == set() with input as world({})
	k8s_extended_tokens.scope == {"x"} with input as world({})
}

test_another_part_is_out_of_scope if {
	k8s_extended_tokens.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_extended_tokens.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_extended_tokens.exempt == reasons with input as world({"api_server": "pods"})
	k8s_extended_tokens.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_extended_tokens.exempt == reasons with input as world({"api_server": "provider"})
	k8s_extended_tokens.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"extends_tokens": true})
	blind := {"resources": {"cluster": [object.remove(bad, ["extends_tokens"])]}}
	k8s_extended_tokens.fail == set() with input as blind
}
