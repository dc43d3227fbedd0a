package policies.workload.host_path_test

import data.policies.workload.host_path
import rego.v1

workload := {"id": "w", "operator": "", "host_paths": []}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_writable_fails if {
	host_path.fail == {
		{"id": "w", "fact": "host_paths", "expected": [], "actual": "/var/lib", "message": "mounts /var/lib of the host"},
	} with input as world({"host_paths": [{"path": "/var/lib", "read_only": false, "volume": "v"}]})
}

test_read_only_fails if {
	host_path.fail == {
		{"id": "w", "fact": "host_paths", "expected": [], "actual": "/etc", "message": "mounts /etc of the host (read-only)"},
	} with input as world({"host_paths": [{"path": "/etc", "read_only": true, "volume": "v"}]})
}

test_sound_passes if {
	host_path.fail == set() with input as world({})
	host_path.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	host_path.scope == set() with input as {"resources": {"other": [workload]}}
	host_path.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	host_path.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "host_paths": [{"path": "/", "read_only": false, "volume": "v"}]})
	host_path.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "host_paths": [{"path": "/", "read_only": false, "volume": "v"}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["host_paths"])]}}
	host_path.fail == set() with input as blind
}
