package policies.transit.listener_tls_version_test

import data.policies.transit.listener_tls_version
import rego.v1

endpoint := {"id": "l", "endpoint_type": "listener", "tls": true, "tls_versions": ["1.2", "1.3"]}

params(version) := {"transit.listener_tls_version": {"min_version": version}}

world(changes) := {"params": params("1.2"), "resources": {"endpoint": [object.union(endpoint, changes)]}}

blind(facts) := {"params": params("1.2"), "resources": {"endpoint": [object.remove(endpoint, facts)]}}

test_fails if {
	listener_tls_version.fail == {{
		"id": "l", "fact": "tls_versions", "expected": "TLS 1.2 or later",
		"message": "accepts TLS 1.0, TLS 1.1, SSL 3.0",
	}} with input as world({"tls_versions": ["1.2", "1.1", "1.0", "ssl3"]})
}

test_strict_fails if {
	listener_tls_version.fail == {{
		"id": "l", "fact": "tls_versions", "expected": "TLS 1.3 or later",
		"message": "accepts TLS 1.2",
	}} with input as object.union(world({}), {"params": params("1.3")})
}

test_passes if {
	listener_tls_version.scope == {"l"} with input as world({})
	listener_tls_version.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"tls": false, "tls_versions": ["1.0"]}, {"endpoint_type": "service", "tls_versions": ["1.0"]}] {
		listener_tls_version.scope == set() with input as world(change)
		listener_tls_version.fail == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	listener_tls_version.scope == {"l"} with input as blind(["tls_versions"])
	listener_tls_version.fail == set() with input as blind(["tls_versions"])
	listener_tls_version.scope == set() with input as blind(["tls"])
}

test_a_classic_load_balancer if {
	listener_tls_version.scope == {"l"} with input as world({"endpoint_type": "load_balancer"})
	listener_tls_version.scope == set() with input as world({"endpoint_type": "load_balancer", "tls": false})
	listener_tls_version.scope == set() with input as world({"endpoint_type": "api"})
}
