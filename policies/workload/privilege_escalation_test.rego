package policies.workload.privilege_escalation_test

import data.policies.workload.privilege_escalation
import rego.v1

container := {"name": "main", "type": "container", "allow_privilege_escalation": false}

workload := {"id": "w", "operator": "", "os": "linux", "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_allowed_fails if {
	privilege_escalation.fail == {
		{"id": "w", "fact": "containers", "expected": false, "actual": {"container": "setup", "allow_privilege_escalation": true}, "message": "init container setup may gain privileges"},
	} with input as with_container({"allow_privilege_escalation": true, "type": "init", "name": "setup"})
}

test_sound_passes if {
	privilege_escalation.fail == set() with input as world({})
	privilege_escalation.scope == {"w"} with input as world({})
}

test_out_of_scope if {
	every change in [{"os": "windows", "containers": [{"name": "main", "type": "container", "allow_privilege_escalation": true}]}] {
		privilege_escalation.scope == set() with input as world(change)
		privilege_escalation.fail == set() with input as world(change)
	}
}

test_operator_is_exempt if {
	privilege_escalation.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "allow_privilege_escalation": true}]})
	privilege_escalation.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "allow_privilege_escalation": true}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	privilege_escalation.fail == set() with input as blind
}
