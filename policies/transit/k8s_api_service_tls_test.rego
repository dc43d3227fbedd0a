package policies.transit.k8s_api_service_tls_test

import data.policies.transit.k8s_api_service_tls
import rego.v1

base := {"id": "x", "name": "v1.api.example", "local": false, "tls_verified": true}

world(changes) := {"resources": {"endpoint": [object.union(base, changes)]}, "params": {"transit.k8s_api_service_tls": {"allowed": ["v1beta1.metrics.k8s.io"]}}}

test_unverified_fails if {
	found := {{"id": "x", "fact": "tls_verified", "expected": true, "message": "the certificate of the server behind it is not verified (insecureSkipTLSVerify)"}}
	k8s_api_service_tls.fail == found with input as world({"tls_verified": false})
	k8s_api_service_tls.scope == {"x"} with input as world({"tls_verified": false})
}

test_sound_passes if {
	k8s_api_service_tls.fail == set() with input as world({})
	k8s_api_service_tls.scope == {"x"} with input as world({})
}

test_local_is_out_of_scope if {
	k8s_api_service_tls.fail == set() with input as world({"local": true, "tls_verified": false})
	k8s_api_service_tls.scope == set() with input as world({"local": true, "tls_verified": false})
}

test_metrics_is_exempt if {
	reasons := {{"id": "x", "reason": "allowed by the configuration"}}
	k8s_api_service_tls.exempt == reasons with input as world({"name": "v1beta1.metrics.k8s.io"})
	k8s_api_service_tls.fail == set() with input as world({"name": "v1beta1.metrics.k8s.io"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"tls_verified": false})
	blind := {"resources": {"endpoint": [object.remove(bad, ["tls_verified"])]}, "params": {"transit.k8s_api_service_tls": {"allowed": ["v1beta1.metrics.k8s.io"]}}}
	k8s_api_service_tls.fail == set() with input as blind
}
