package policies.workload.host_port_test

import data.policies.workload.host_port
import rego.v1

container := {"name": "main", "type": "container", "host_ports": []}

workload := {"id": "w", "operator": "", "host_network": false, "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_port_fails if {
	host_port.fail == {
		{"id": "w", "fact": "containers", "expected": "none", "actual": {"container": "b", "host_ports": 8265}, "message": "container b publishes port 8265 of the host"},
	} with input as with_container({"host_ports": [8265], "name": "b"})
}

test_sound_passes if {
	host_port.fail == set() with input as world({})
	host_port.scope == {"w"} with input as world({})
}

test_out_of_scope if {
	every change in [{"host_network": true}, {"operator": "NVIDIA GPU Operator", "host_network": true}] {
		host_port.scope == set() with input as world(change)
		host_port.fail == set() with input as world(change)
	}
}

test_operator_is_exempt if {
	host_port.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "host_ports": [80]}]})
	host_port.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "host_ports": [80]}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	host_port.fail == set() with input as blind
}
