package policies.workload.probe_host_test

import data.policies.workload.probe_host
import rego.v1

container := {"name": "main", "type": "container", "probe_hosts": []}

workload := {"id": "w", "operator": "", "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_host_fails if {
	probe_host.fail == {
		{"id": "w", "fact": "containers", "expected": "no host", "actual": {"container": "b", "probe_hosts": "169.254.169.254"}, "message": "container b has the kubelet call 169.254.169.254"},
	} with input as with_container({"probe_hosts": ["169.254.169.254"], "name": "b"})
}

test_sound_passes if {
	probe_host.fail == set() with input as world({})
	probe_host.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	probe_host.scope == set() with input as {"resources": {"other": [workload]}}
	probe_host.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	probe_host.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "probe_hosts": ["h"]}]})
	probe_host.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "probe_hosts": ["h"]}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	probe_host.fail == set() with input as blind
}
