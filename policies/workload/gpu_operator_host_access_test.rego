package policies.workload.gpu_operator_host_access_test

import data.policies.workload.gpu_operator_host_access
import rego.v1

component := {"name": "dcgmExporter", "repository": "", "image": "", "version": "", "host_network": false, "host_pid": false}

operator := {"id": "o", "components": [component]}

having(changes) := {"resources": {"operator": [{"id": "o", "components": [object.union(component, changes)]}]}}

test_host_pid_fails if {
	gpu_operator_host_access.fail == {{
		"id": "o", "fact": "components", "expected": false, "tag": "dcgmExporter hostPID",
		"actual": {"name": "dcgmExporter", "host_pid": true},
		"message": "dcgmExporter shares the host's process namespace (hostPID)",
	}} with input as having({"host_pid": true})
}

test_host_network_fails if {
	gpu_operator_host_access.fail == {{
		"id": "o", "fact": "components", "expected": false, "tag": "dcgmExporter hostNetwork",
		"actual": {"name": "dcgmExporter", "host_network": true},
		"message": "dcgmExporter shares the host's network (hostNetwork)",
	}} with input as having({"host_network": true})
}

test_sound_passes if {
	gpu_operator_host_access.fail == set() with input as having({})
	gpu_operator_host_access.scope == {"o"} with input as having({})
}

test_other_kinds_are_out_of_scope if {
	gpu_operator_host_access.scope == set() with input as {"resources": {"other": [operator]}}
	gpu_operator_host_access.fail == set() with input as {"resources": {"other": [operator]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"operator": [object.remove(operator, ["components"])]}}
	gpu_operator_host_access.fail == set() with input as blind
}
