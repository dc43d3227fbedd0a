package policies.transit.listener_plaintext_test

import data.policies.transit.listener_plaintext
import rego.v1

endpoint := {"id": "l", "endpoint_type": "listener", "protocol": "http", "redirects_to_tls": true}

world(changes) := {"resources": {"endpoint": [object.union(endpoint, changes)]}}

blind(facts) := {"resources": {"endpoint": [object.remove(endpoint, facts)]}}

test_fails if {
	listener_plaintext.fail == {{
		"id": "l", "fact": "redirects_to_tls", "expected": true,
		"message": "answers in clear text (HTTP) and does not redirect to HTTPS",
	}} with input as world({"redirects_to_tls": false})
}

test_passes if {
	listener_plaintext.scope == {"l"} with input as world({})
	listener_plaintext.fail == set() with input as world({})
}

test_out_of_scope if {
	every protocol in ["https", "tls", "tcp", "udp"] {
		listener_plaintext.scope == set() with input as world({"protocol": protocol})
		listener_plaintext.fail == set() with input as world({"protocol": protocol, "redirects_to_tls": false})
	}
}

test_blind_proves_nothing if {
	listener_plaintext.scope == {"l"} with input as blind(["redirects_to_tls"])
	listener_plaintext.fail == set() with input as blind(["redirects_to_tls"])
	listener_plaintext.scope == set() with input as blind(["protocol"])
}

test_a_classic_load_balancer_fails if {
	classic := {"id": "l", "endpoint_type": "load_balancer", "protocol": "http", "redirects_to_tls": false}
	listener_plaintext.scope == {"l"} with input as world(classic)
	count(listener_plaintext.fail) == 1 with input as world(classic)
	listener_plaintext.scope == set() with input as world({"endpoint_type": "service"})
}
