package policies.workload.seccomp_test

import data.policies.workload.seccomp
import rego.v1

container := {"name": "main", "type": "container", "seccomp": "RuntimeDefault", "privileged": false}

workload := {"id": "w", "operator": "", "os": "linux", "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_unconfined_fails if {
	seccomp.fail == {
		{"id": "w", "fact": "containers", "expected": "RuntimeDefault or Localhost", "actual": {"container": "b", "seccomp": "Unconfined"}, "message": "container b runs without seccomp (Unconfined)"},
	} with input as with_container({"seccomp": "Unconfined", "name": "b"})
}

test_unsaid_fails if {
	seccomp.fail == {
		{"id": "w", "fact": "containers", "expected": "RuntimeDefault or Localhost", "actual": {"container": "setup", "seccomp": ""}, "message": "init container setup names no seccomp profile"},
	} with input as with_container({"seccomp": "", "type": "init", "name": "setup"})
}

test_sound_passes if {
	seccomp.fail == set() with input as world({})
	seccomp.scope == {"w"} with input as world({})
}

test_localhost_passes if {
	seccomp.fail == set() with input as with_container({"seccomp": "Localhost"})
	seccomp.scope == {"w"} with input as with_container({"seccomp": "Localhost"})
}

test_privileged_is_judged_elsewhere_passes if {
	seccomp.fail == set() with input as with_container({"seccomp": "", "privileged": true})
	seccomp.scope == {"w"} with input as with_container({"seccomp": "", "privileged": true})
}

test_out_of_scope if {
	every change in [{"os": "windows"}, {"containers": [object.union(container, {"privileged": true, "seccomp": ""})]}] {
		seccomp.scope == set() with input as world(change)
		seccomp.fail == set() with input as world(change)
	}
}

test_operator_is_exempt if {
	seccomp.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "privileged": false, "seccomp": ""}]})
	seccomp.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "privileged": false, "seccomp": ""}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	seccomp.fail == set() with input as blind
}
