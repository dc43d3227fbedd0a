package policies.credentials.k8s_static_tokens_test

import data.policies.credentials.k8s_static_tokens
import rego.v1

base := {"id": "x", "api_server": "here", "static_tokens": false, "token_lookup": true}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_a_file_fails if {
	found := {{"id": "x", "fact": "static_tokens", "expected": false, "message": "it takes tokens from a file (--token-auth-file)"}}
	k8s_static_tokens.fail == found with input as world({"static_tokens": true})
	k8s_static_tokens.scope == {"x"} with input as world({"static_tokens": true})
}

test_no_lookup_fails if {
	found := {{"id": "x", "fact": "token_lookup", "expected": true, "message": "tokens of deleted service accounts go on (--service-account-lookup=false)"}}
	k8s_static_tokens.fail == found with input as world({"token_lookup": false})
	k8s_static_tokens.scope == {"x"} with input as world({"token_lookup": false})
}

test_sound_passes if {
	k8s_static_tokens.fail == set() with input as world({})
	k8s_static_tokens.scope == {"x"} with input as world({})
}

test_another_part_is_out_of_scope if {
	k8s_static_tokens.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_static_tokens.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_static_tokens.exempt == reasons with input as world({"api_server": "pods"})
	k8s_static_tokens.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_static_tokens.exempt == reasons with input as world({"api_server": "provider"})
	k8s_static_tokens.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"static_tokens": true, "token_lookup": false})
	blind := {"resources": {"cluster": [object.remove(bad, ["static_tokens", "token_lookup"])]}}
	k8s_static_tokens.fail == set() with input as blind
}
