package policies.iam.k8s_anonymous_requests_test

import data.policies.iam.k8s_anonymous_requests
import rego.v1

base := {"id": "x", "api_server": "here", "anonymous_requests": "off"}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_on_fails if {
	found := {{"id": "x", "fact": "anonymous_requests", "expected": "off, or on certain paths", "message": "requests without credentials are let in everywhere"}}
	k8s_anonymous_requests.fail == found with input as world({"anonymous_requests": "on"})
	k8s_anonymous_requests.scope == {"x"} with input as world({"anonymous_requests": "on"})
}

test_sound_passes if {
	k8s_anonymous_requests.fail == set() with input as world({})
	k8s_anonymous_requests.scope == {"x"} with input as world({})
}

test_paths_passes if {
	k8s_anonymous_requests.fail == set() with input as world({"anonymous_requests": "paths"})
	k8s_anonymous_requests.scope == {"x"} with input as world({"anonymous_requests": "paths"})
}

test_another_part_is_out_of_scope if {
	k8s_anonymous_requests.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_anonymous_requests.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_anonymous_requests.exempt == reasons with input as world({"api_server": "pods"})
	k8s_anonymous_requests.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_anonymous_requests.exempt == reasons with input as world({"api_server": "provider"})
	k8s_anonymous_requests.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"anonymous_requests": "on"})
	blind := {"resources": {"cluster": [object.remove(bad, ["anonymous_requests"])]}}
	k8s_anonymous_requests.fail == set() with input as blind
}
