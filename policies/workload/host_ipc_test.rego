package policies.workload.host_ipc_test

import data.policies.workload.host_ipc
import rego.v1

workload := {"id": "w", "operator": "", "host_ipc": false}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_shared_fails if {
	host_ipc.fail == {
		{"id": "w", "fact": "host_ipc", "expected": false, "message": "its pods share the host's IPC namespace (hostIPC)"},
	} with input as world({"host_ipc": true})
}

test_sound_passes if {
	host_ipc.fail == set() with input as world({})
	host_ipc.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	host_ipc.scope == set() with input as {"resources": {"other": [workload]}}
	host_ipc.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	host_ipc.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "host_ipc": true})
	host_ipc.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "host_ipc": true})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["host_ipc"])]}}
	host_ipc.fail == set() with input as blind
}
