package policies.ai.gpu_cluster_telemetry_test

import data.policies.ai.gpu_cluster_telemetry
import rego.v1

cluster := {"id": "c", "gpu_telemetry": "on"}

world(changes) := {"resources": {"cluster": [object.union(cluster, changes)]}}

test_off_fails if {
	gpu_cluster_telemetry.fail == {{
		"id": "c", "fact": "gpu_telemetry", "expected": "on", "actual": "off",
		"message": "nobody exports metrics of its GPUs",
	}} with input as world({"gpu_telemetry": "off"})
}

test_not_ready_fails if {
	gpu_cluster_telemetry.fail == {{
		"id": "c", "fact": "gpu_telemetry", "expected": "on", "actual": "not_ready",
		"message": "the DCGM exporter is not ready on all of its nodes",
	}} with input as world({"gpu_telemetry": "not_ready"})
}

test_sound_passes if {
	gpu_cluster_telemetry.fail == set() with input as world({})
	gpu_cluster_telemetry.scope == {"c"} with input as world({})
}

test_out_of_scope if {
	gpu_cluster_telemetry.scope == set() with input as world({"gpu_telemetry": "none"})
	gpu_cluster_telemetry.fail == set() with input as world({"gpu_telemetry": "none"})
}

test_blind_proves_nothing if {
	blind := {"resources": {"cluster": [object.remove(cluster, ["gpu_telemetry"])]}}
	gpu_cluster_telemetry.fail == set() with input as blind
}
