package policies.transit.domain_tls_test

import data.policies.transit.domain_tls
import rego.v1

endpoint := {"id": "e", "endpoint_type": "domain", "tls_versions": ["1.2", "1.3"]}

world(changes, minimum) := {
	"params": {"transit.domain_tls": {"min_version": minimum}},
	"resources": {"endpoint": [object.union(endpoint, changes)]},
}

blind(facts) := {
	"params": {"transit.domain_tls": {"min_version": "1.3"}},
	"resources": {"endpoint": [object.remove(endpoint, facts)]},
}

test_fails if {
	domain_tls.fail == {{
		"id": "e", "fact": "tls_versions", "expected": "TLS 1.2 or later",
		"message": "accepts TLS 1.0, 1.1",
	}} with input as world({"tls_versions": ["1.0", "1.1", "1.2"]}, "1.2")
	count(domain_tls.fail) == 1 with input as world({}, "1.3")
}

test_passes if {
	domain_tls.scope == {"e"} with input as world({}, "1.2")
	domain_tls.fail == set() with input as world({}, "1.2")
	domain_tls.fail == set() with input as world({"tls_versions": ["1.3"]}, "1.3")
}

test_out_of_scope if {
	domain_tls.scope == set() with input as world({"endpoint_type": "listener"}, "1.3")
	domain_tls.fail == set() with input as world({"endpoint_type": "listener"}, "1.3")
}

test_blind_proves_nothing if {
	domain_tls.fail == set() with input as blind(["tls_versions"])
	domain_tls.fail == set() with input as blind(["endpoint_type"])
}
