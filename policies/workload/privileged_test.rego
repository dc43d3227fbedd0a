package policies.workload.privileged_test

import data.policies.workload.privileged
import rego.v1

container := {"name": "main", "type": "container", "privileged": false}

workload := {"id": "w", "operator": "", "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_privileged_fails if {
	privileged.fail == {
		{"id": "w", "fact": "containers", "expected": false, "actual": {"container": "b", "privileged": true}, "message": "container b is privileged"},
	} with input as with_container({"privileged": true, "name": "b"})
}

test_ephemeral_fails if {
	privileged.fail == {
		{"id": "w", "fact": "containers", "expected": false, "actual": {"container": "debug", "privileged": true}, "message": "ephemeral container debug is privileged"},
	} with input as with_container({"privileged": true, "type": "ephemeral", "name": "debug"})
}

test_init_fails if {
	privileged.fail == {
		{"id": "w", "fact": "containers", "expected": false, "actual": {"container": "setup", "privileged": true}, "message": "init container setup is privileged"},
	} with input as with_container({"privileged": true, "type": "init", "name": "setup"})
}

test_sound_passes if {
	privileged.fail == set() with input as world({})
	privileged.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	privileged.scope == set() with input as {"resources": {"other": [workload]}}
	privileged.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	privileged.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "privileged": true}]})
	privileged.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "privileged": true}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	privileged.fail == set() with input as blind
}
