package policies.workload.gpu_limits_test

import data.policies.workload.gpu_limits
import rego.v1

container := {"name": "main", "type": "container", "accelerator": true, "claims": false, "memory_limit": true, "cpu_request": true}

workload := {"id": "w", "operator": "", "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_memory_fails if {
	gpu_limits.fail == {
		{"id": "w", "fact": "containers", "expected": "a memory limit", "actual": {"container": "b", "memory_limit": false}, "message": "container b asks for an accelerator and has no memory limit"},
	} with input as with_container({"memory_limit": false, "name": "b"})
}

test_claim_fails if {
	gpu_limits.fail == {
		{"id": "w", "fact": "containers", "expected": "a memory limit", "actual": {"container": "b", "memory_limit": false}, "message": "container b asks for an accelerator and has no memory limit"},
	} with input as with_container({"memory_limit": false, "accelerator": false, "claims": true, "name": "b"})
}

test_cpu_fails if {
	gpu_limits.fail == {
		{"id": "w", "fact": "containers", "expected": "a CPU request", "actual": {"container": "b", "cpu_request": false}, "message": "container b asks for an accelerator and for no CPU"},
	} with input as with_container({"cpu_request": false, "name": "b"})
}

test_sound_passes if {
	gpu_limits.fail == set() with input as world({})
	gpu_limits.scope == {"w"} with input as world({})
}

test_sidecar_without_gpu_passes if {
	gpu_limits.fail == set() with input as with_container({"accelerator": false, "memory_limit": false, "cpu_request": false})
	gpu_limits.scope == {"w"} with input as with_container({"accelerator": false, "memory_limit": false, "cpu_request": false})
}

test_out_of_scope if {
	every change in [{"containers": [{"name": "main", "type": "container", "claims": false, "accelerator": false, "memory_limit": false, "cpu_request": false}]}] {
		gpu_limits.scope == set() with input as world(change)
		gpu_limits.fail == set() with input as world(change)
	}
}

test_operator_is_exempt if {
	gpu_limits.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "claims": false, "accelerator": true, "memory_limit": false, "cpu_request": false}]})
	gpu_limits.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "claims": false, "accelerator": true, "memory_limit": false, "cpu_request": false}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	gpu_limits.fail == set() with input as blind
}
