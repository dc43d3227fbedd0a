package policies.transit.k8s_ingress_tls_test

import data.policies.transit.k8s_ingress_tls
import rego.v1

endpoint := {"id": "e", "endpoint_type": "ingress", "hosts_without_tls": []}

world(changes) := {"resources": {"endpoint": [object.union(endpoint, changes)]}}

test_host_fails if {
	k8s_ingress_tls.fail == {
		{"id": "e", "fact": "hosts_without_tls", "expected": [], "message": "no certificate covers chat.example"},
	} with input as world({"hosts_without_tls": ["chat.example"]})
}

test_any_fails if {
	k8s_ingress_tls.fail == {
		{"id": "e", "fact": "hosts_without_tls", "expected": [], "message": "no certificate covers requests to any host"},
	} with input as world({"hosts_without_tls": ["*"]})
}

test_sound_passes if {
	k8s_ingress_tls.fail == set() with input as world({})
	k8s_ingress_tls.scope == {"e"} with input as world({})
}

test_out_of_scope if {
	every change in [{"endpoint_type": "service", "hosts_without_tls": ["x"]}] {
		k8s_ingress_tls.scope == set() with input as world(change)
		k8s_ingress_tls.fail == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"endpoint": [object.remove(endpoint, ["hosts_without_tls"])]}}
	k8s_ingress_tls.fail == set() with input as blind
}
