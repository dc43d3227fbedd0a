package policies.workload.device_plugin_bypassed_test

import data.policies.workload.device_plugin_bypassed
import rego.v1

container := {"name": "main", "type": "container", "accelerator": true, "claims": false, "visible_devices": ""}

workload := {"id": "w", "operator": "", "host_paths": [], "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_variable_fails if {
	device_plugin_bypassed.fail == {
		{"id": "w", "fact": "containers", "expected": "a GPU request", "actual": {"container": "b", "visible_devices": "all"}, "message": "container b asks for no GPU and sets NVIDIA_VISIBLE_DEVICES=all"},
	} with input as with_container({"accelerator": false, "visible_devices": "all", "name": "b"})
}

test_device_fails if {
	device_plugin_bypassed.fail == {
		{"id": "w", "fact": "host_paths", "expected": "a GPU request", "actual": "/dev/nvidia0", "message": "mounts /dev/nvidia0 of the host"},
	} with input as world({"host_paths": [{"path": "/dev/nvidia0", "read_only": false, "volume": "v"}]})
}

test_sound_passes if {
	device_plugin_bypassed.fail == set() with input as world({})
	device_plugin_bypassed.scope == {"w"} with input as world({})
}

test_void_passes if {
	device_plugin_bypassed.fail == set() with input as with_container({"accelerator": false, "visible_devices": "void"})
	device_plugin_bypassed.scope == {"w"} with input as with_container({"accelerator": false, "visible_devices": "void"})
}

test_claim_passes if {
	device_plugin_bypassed.fail == set() with input as with_container({"accelerator": false, "claims": true, "visible_devices": "all"})
	device_plugin_bypassed.scope == {"w"} with input as with_container({"accelerator": false, "claims": true, "visible_devices": "all"})
}

test_other_path_passes if {
	device_plugin_bypassed.fail == set() with input as world({"host_paths": [{"path": "/dev/shm", "read_only": false, "volume": "v"}]})
	device_plugin_bypassed.scope == {"w"} with input as world({"host_paths": [{"path": "/dev/shm", "read_only": false, "volume": "v"}]})
}

test_other_kinds_are_out_of_scope if {
	device_plugin_bypassed.scope == set() with input as {"resources": {"other": [workload]}}
	device_plugin_bypassed.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	device_plugin_bypassed.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "host_paths": [{"path": "/dev/nvidia0", "read_only": false, "volume": "v"}]})
	device_plugin_bypassed.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "host_paths": [{"path": "/dev/nvidia0", "read_only": false, "volume": "v"}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers", "host_paths"])]}}
	device_plugin_bypassed.fail == set() with input as blind
}
