package policies.workload.gpu_stack_patched_test

import data.policies.workload.gpu_stack_patched
import rego.v1

workload := {"id": "w", "operator": "", "gpu_stack": ["nvidia-gpu-operator"], "gpu_stack_outdated": []}

old := {"container": "gpu-operator", "product": "nvidia-gpu-operator", "version": "v25.3.0", "fixed": "26.3.2"}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_old_fails if {
	gpu_stack_patched.fail == {{
		"id": "w", "fact": "gpu_stack_outdated", "expected": "26.3.2 or later", "actual": "v25.3.0", "tag": "gpu-operator",
		"message": "nvidia-gpu-operator v25.3.0 lets an image take the host",
	}} with input as world({"gpu_stack_outdated": [old]})
}

test_sound_passes if {
	gpu_stack_patched.fail == set() with input as world({})
	gpu_stack_patched.scope == {"w"} with input as world({})
}

test_owned_is_exempt if {
	found := {{"id": "w", "reason": "NVIDIA GPU Operator owns it, and its object is judged"}}
	gpu_stack_patched.exempt == found with input as world({"operator": "NVIDIA GPU Operator"})
	gpu_stack_patched.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "gpu_stack_outdated": [old]})
}

test_out_of_scope if {
	gpu_stack_patched.scope == set() with input as world({"gpu_stack": []})
	gpu_stack_patched.exempt == set() with input as world({"gpu_stack": [], "operator": "NVIDIA GPU Operator"})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["gpu_stack_outdated"])]}}
	gpu_stack_patched.fail == set() with input as blind
}
