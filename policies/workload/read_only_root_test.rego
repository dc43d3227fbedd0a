package policies.workload.read_only_root_test

import data.policies.workload.read_only_root
import rego.v1

container := {"name": "main", "type": "container", "read_only_root": true}

workload := {"id": "w", "operator": "", "os": "linux", "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_writable_fails if {
	read_only_root.fail == {
		{"id": "w", "fact": "containers", "expected": true, "actual": {"container": "setup", "read_only_root": false}, "message": "init container setup can write to its root file system"},
	} with input as with_container({"read_only_root": false, "type": "init", "name": "setup"})
}

test_sound_passes if {
	read_only_root.fail == set() with input as world({})
	read_only_root.scope == {"w"} with input as world({})
}

test_ephemeral_passes if {
	read_only_root.fail == set() with input as with_container({"read_only_root": false, "type": "ephemeral", "name": "debug"})
	read_only_root.scope == {"w"} with input as with_container({"read_only_root": false, "type": "ephemeral", "name": "debug"})
}

test_out_of_scope if {
	every change in [{"os": "windows"}] {
		read_only_root.scope == set() with input as world(change)
		read_only_root.fail == set() with input as world(change)
	}
}

test_operator_is_exempt if {
	read_only_root.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "read_only_root": false}]})
	read_only_root.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "read_only_root": false}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	read_only_root.fail == set() with input as blind
}
