package policies.workload.host_pid_test

import data.policies.workload.host_pid
import rego.v1

workload := {"id": "w", "operator": "", "host_pid": false}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_shared_fails if {
	host_pid.fail == {
		{"id": "w", "fact": "host_pid", "expected": false, "message": "its pods share the host's process namespace (hostPID)"},
	} with input as world({"host_pid": true})
}

test_sound_passes if {
	host_pid.fail == set() with input as world({})
	host_pid.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	host_pid.scope == set() with input as {"resources": {"other": [workload]}}
	host_pid.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	host_pid.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "host_pid": true})
	host_pid.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "host_pid": true})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["host_pid"])]}}
	host_pid.fail == set() with input as blind
}
