package policies.workload.host_network_test

import data.policies.workload.host_network
import rego.v1

workload := {"id": "w", "operator": "", "host_network": false, "rdma": false}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_shared_fails if {
	host_network.fail == {
		{"id": "w", "fact": "host_network", "expected": false, "message": "its pods are on the host's network"},
	} with input as world({"host_network": true})
}

test_sound_passes if {
	host_network.fail == set() with input as world({})
	host_network.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	host_network.scope == set() with input as {"resources": {"other": [workload]}}
	host_network.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	host_network.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "host_network": true})
	host_network.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "host_network": true})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["host_network"])]}}
	host_network.fail == set() with input as blind
}
