package policies.ai.gpu_queue_test

import data.policies.ai.gpu_queue
import rego.v1

workload := {"id": "w", "operator": "", "in_platform": false, "accelerator": true, "queueing": "queued"}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_bypass_fails if {
	gpu_queue.fail == {{"id": "w", "fact": "queueing", "expected": "a queue", "message": "asks for accelerators past the queues of Kueue"}} with input as world({"queueing": "bypassed"})
}

test_queued_passes if {
	gpu_queue.fail == set() with input as world({})
	gpu_queue.scope == {"w"} with input as world({})
}

test_others_are_out_of_scope if {
	gpu_queue.scope == set() with input as world({"queueing": "none"})
	gpu_queue.scope == set() with input as world({"accelerator": false})
	gpu_queue.scope == set() with input as world({"in_platform": true})
}

test_operator_is_exempt if {
	gpu_queue.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator"})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["queueing"])]}}
	gpu_queue.fail == set() with input as blind
	gpu_queue.scope == set() with input as blind
}
