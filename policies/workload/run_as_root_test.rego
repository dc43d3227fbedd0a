package policies.workload.run_as_root_test

import data.policies.workload.run_as_root
import rego.v1

container := {"name": "main", "type": "container", "run_as_non_root": true, "run_as_user": 1000}

workload := {"id": "w", "operator": "", "os": "linux", "host_users": true, "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_user_0_fails if {
	run_as_root.fail == {
		{"id": "w", "fact": "containers", "expected": "a user other than 0", "actual": {"container": "b", "run_as_user": 0}, "message": "container b runs as user 0"},
	} with input as with_container({"run_as_user": 0, "name": "b"})
}

test_unsaid_fails if {
	run_as_root.fail == {
		{"id": "w", "fact": "containers", "expected": "runAsNonRoot: true", "actual": {"container": "debug", "run_as_non_root": false}, "message": "ephemeral container debug may run as root: runAsNonRoot is not true"},
	} with input as with_container({"run_as_user": null, "run_as_non_root": false, "type": "ephemeral", "name": "debug"})
}

test_user_without_promise_fails if {
	run_as_root.fail == {
		{"id": "w", "fact": "containers", "expected": "runAsNonRoot: true", "actual": {"container": "b", "run_as_non_root": false}, "message": "container b may run as root: runAsNonRoot is not true"},
	} with input as with_container({"run_as_non_root": false, "name": "b"})
}

test_sound_passes if {
	run_as_root.fail == set() with input as world({})
	run_as_root.scope == {"w"} with input as world({})
}

test_image_user_passes if {
	run_as_root.fail == set() with input as with_container({"run_as_user": null})
	run_as_root.scope == {"w"} with input as with_container({"run_as_user": null})
}

test_out_of_scope if {
	every change in [{"os": "windows"}, {"host_users": false, "containers": [{"name": "main", "type": "container", "run_as_non_root": true, "run_as_user": 0}]}] {
		run_as_root.scope == set() with input as world(change)
		run_as_root.fail == set() with input as world(change)
	}
}

test_operator_is_exempt if {
	run_as_root.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "run_as_non_root": true, "run_as_user": 0}]})
	run_as_root.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "run_as_non_root": true, "run_as_user": 0}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	run_as_root.fail == set() with input as blind
}
