package policies.transit.k8s_pod_traffic_encrypted_test

import data.policies.transit.k8s_pod_traffic_encrypted
import rego.v1

namespace := {"id": "n", "accelerated": true, "accelerators_in_clear": []}

world(changes) := {"resources": {"namespace": [object.union(namespace, changes)]}}

test_clear_fails if {
	k8s_pod_traffic_encrypted.fail == {
		{"id": "n", "fact": "accelerators_in_clear", "expected": [], "message": "nothing encrypts what chat, train sends to other machines"},
	} with input as world({"accelerators_in_clear": ["chat", "train"]})
}

test_encrypted_passes if {
	k8s_pod_traffic_encrypted.fail == set() with input as world({})
	k8s_pod_traffic_encrypted.scope == {"n"} with input as world({})
}

test_out_of_scope if {
	k8s_pod_traffic_encrypted.scope == set() with input as world({"accelerated": false, "accelerators_in_clear": ["x"]})
	k8s_pod_traffic_encrypted.fail == set() with input as world({"accelerated": false, "accelerators_in_clear": ["x"]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"namespace": [object.remove(namespace, ["accelerators_in_clear"])]}}
	k8s_pod_traffic_encrypted.fail == set() with input as blind
}
