package policies.transit.k8s_calico_encryption_test

import data.policies.transit.k8s_calico_encryption
import rego.v1

configuration := {"id": "c", "plugin": "calico", "pod_encryption": "wireguard", "nodes_in_clear": []}

world(changes) := {"resources": {"configuration": [object.union(configuration, changes)]}}

test_off_fails if {
	k8s_calico_encryption.fail == {
		{"id": "c", "fact": "pod_encryption", "expected": "wireguard", "message": "Calico encrypts nothing between nodes"},
	} with input as world({"pod_encryption": "none"})
}

test_a_node_in_clear_fails if {
	k8s_calico_encryption.fail == {
		{"id": "c", "fact": "nodes_in_clear", "expected": [], "message": "2 nodes take no part in it: gpu-1, gpu-2"},
	} with input as world({"nodes_in_clear": ["gpu-1", "gpu-2"]})
}

test_on_passes if {
	k8s_calico_encryption.fail == set() with input as world({})
	k8s_calico_encryption.scope == {"c"} with input as world({})
}

test_out_of_scope if {
	k8s_calico_encryption.scope == set() with input as world({"plugin": "", "pod_encryption": "none"})
	k8s_calico_encryption.fail == set() with input as world({"plugin": "", "pod_encryption": "none"})
}

test_blind_proves_nothing if {
	blind := {"resources": {"configuration": [object.remove(configuration, ["pod_encryption", "nodes_in_clear"])]}}
	k8s_calico_encryption.fail == set() with input as blind
}
