package policies.transit.target_plaintext_test

import data.policies.transit.target_plaintext
import rego.v1

world(changes) := {"resources": {"endpoint": [object.union({"id": "g", "endpoint_type": "target_group", "protocol": "https", "forwards_in_clear": false}, changes)]}}

test_fails if {
	every protocol in ["http", "tcp", "tcp_udp"] {
		target_plaintext.fail == {{
			"id": "g", "fact": "forwards_in_clear", "expected": false,
			"message": "takes what clients send in clear text",
		}} with input as world({"protocol": protocol, "forwards_in_clear": true})
	}
}

test_passes if {
	every protocol in ["http", "https", "tls", "tcp"] {
		target_plaintext.scope == {"g"} with input as world({"protocol": protocol})
		target_plaintext.fail == set() with input as world({"protocol": protocol})
	}
}

test_out_of_scope if {
	every change in [{"endpoint_type": "listener"}, {"protocol": "geneve"}, {"protocol": ""}] {
		target_plaintext.scope == set() with input as world(object.union(change, {"forwards_in_clear": true}))
		target_plaintext.fail == set() with input as world(object.union(change, {"forwards_in_clear": true}))
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"endpoint": [{"id": "g", "endpoint_type": "target_group", "protocol": "http"}, {"id": "h", "forwards_in_clear": true}]}}
	target_plaintext.scope == {"g"} with input as blind
	target_plaintext.fail == set() with input as blind
}

test_a_classic_load_balancer if {
	target_plaintext.scope == {"g"} with input as world({"endpoint_type": "load_balancer", "protocol": "tls"})
	count(target_plaintext.fail) == 1 with input as world({"endpoint_type": "load_balancer", "forwards_in_clear": true})
}
