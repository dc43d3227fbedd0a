package policies.exposure.k8s_kubelet_read_only_port_test

import data.policies.exposure.k8s_kubelet_read_only_port
import rego.v1

base := {"id": "x", "serverless": false, "kubelet_read_only_port": 0}

world(changes) := {"resources": {"node": [object.union(base, changes)]}}

test_open_fails if {
	found := {{"id": "x", "fact": "kubelet_read_only_port", "expected": 0, "message": "its kubelet answers everyone on port 10255"}}
	k8s_kubelet_read_only_port.fail == found with input as world({"kubelet_read_only_port": 10255})
	k8s_kubelet_read_only_port.scope == {"x"} with input as world({"kubelet_read_only_port": 10255})
}

test_sound_passes if {
	k8s_kubelet_read_only_port.fail == set() with input as world({})
	k8s_kubelet_read_only_port.scope == {"x"} with input as world({})
}

test_unseen_scope_is_out_of_scope if {
	k8s_kubelet_read_only_port.fail == set() with input as world({"serverless": null})
	k8s_kubelet_read_only_port.scope == set() with input as world({"serverless": null})
}

test_serverless_is_exempt if {
	reasons := {{"id": "x", "reason": "the provider runs the node alone"}}
	k8s_kubelet_read_only_port.exempt == reasons with input as world({"serverless": true})
	k8s_kubelet_read_only_port.fail == set() with input as world({"serverless": true})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"kubelet_read_only_port": 10255})
	blind := {"resources": {"node": [object.remove(bad, ["kubelet_read_only_port"])]}}
	k8s_kubelet_read_only_port.fail == set() with input as blind
}
