package policies.transit.k8s_api_tls_version_test

import data.policies.transit.k8s_api_tls_version
import rego.v1

base := {"id": "x", "api_server": "here", "tls_min_version": "1.3"}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}, "params": {"transit.k8s_api_tls_version": {"floor": "1.3"}}}

test_default_fails if {
	found := {{"id": "x", "fact": "tls_min_version", "expected": "1.3", "message": "it accepts TLS 1.2"}}
	k8s_api_tls_version.fail == found with input as world({"tls_min_version": "1.2"})
	k8s_api_tls_version.scope == {"x"} with input as world({"tls_min_version": "1.2"})
}

test_old_fails if {
	found := {{"id": "x", "fact": "tls_min_version", "expected": "1.3", "message": "it accepts TLS 1.0"}}
	k8s_api_tls_version.fail == found with input as world({"tls_min_version": "1.0"})
	k8s_api_tls_version.scope == {"x"} with input as world({"tls_min_version": "1.0"})
}

test_sound_passes if {
	k8s_api_tls_version.fail == set() with input as world({})
	k8s_api_tls_version.scope == {"x"} with input as world({})
}

test_another_part_is_out_of_scope if {
	k8s_api_tls_version.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_api_tls_version.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_api_tls_version.exempt == reasons with input as world({"api_server": "pods"})
	k8s_api_tls_version.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_api_tls_version.exempt == reasons with input as world({"api_server": "provider"})
	k8s_api_tls_version.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"tls_min_version": "1.0"})
	blind := {"resources": {"cluster": [object.remove(bad, ["tls_min_version"])]}, "params": {"transit.k8s_api_tls_version": {"floor": "1.3"}}}
	k8s_api_tls_version.fail == set() with input as blind
}
