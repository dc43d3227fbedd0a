package policies.integrity.job_checkpoints_test

import data.policies.integrity.job_checkpoints
import rego.v1

job := {
	"id": "j", "service_type": "training_job", "spot": true, "max_runtime_seconds": 3600, "node_count": 1,
	"checkpoint_uris": ["s3://ckpt/llm"], "file_systems": [],
}

cluster := {"id": "c", "service_type": "cluster", "auto_recovery": true}

params := {"integrity.job_checkpoints": {"max_hours": 24}}

world(service, changes) := {"resources": {"model_service": [object.union(service, changes)]}, "params": params}

blind(service, facts) := {"resources": {"model_service": [object.remove(service, facts)]}, "params": params}

test_a_job_fails if {
	every change in [{}, {"spot": false, "max_runtime_seconds": 90000, "node_count": 2}] {
		job_checkpoints.fail == {{
			"id": "j", "fact": "checkpoint_uris", "expected": "a place in a bucket", "actual": [],
			"message": "it may be interrupted, and keeps no checkpoints",
		}} with input as world(job, object.union(change, {"checkpoint_uris": []}))
	}
}

test_a_cluster_fails if {
	job_checkpoints.fail == {{
		"id": "c", "fact": "auto_recovery", "expected": true,
		"message": "it does not replace faulty nodes by itself",
	}} with input as world(cluster, {"auto_recovery": false})
	job_checkpoints.safe == set() with input as world(cluster, {"auto_recovery": false})
}

test_passes if {
	job_checkpoints.fail == set() with input as world(job, {})
	job_checkpoints.safe == {"j"} with input as world(job, {})
	job_checkpoints.fail == set() with input as world(job, {"checkpoint_uris": [], "file_systems": ["fs"]})
	job_checkpoints.safe == {"j"} with input as world(job, {"checkpoint_uris": [], "file_systems": ["fs"]})
	job_checkpoints.safe == {"c"} with input as world(cluster, {})
}

test_out_of_scope if {
	every change in [{"node_count": 1}, {"max_runtime_seconds": 86400}, {"service_type": "processing_job"}] {
		long := {"spot": false, "max_runtime_seconds": 90000, "node_count": 2, "checkpoint_uris": []}
		job_checkpoints.scope == set() with input as world(job, object.union(long, change))
		job_checkpoints.fail == set() with input as world(job, object.union(long, change))
	}
}

test_blind_proves_nothing if {
	bare := object.union(job, {"checkpoint_uris": []})
	job_checkpoints.fail == set() with input as blind(bare, ["file_systems"])
	job_checkpoints.safe == set() with input as blind(bare, ["file_systems"])
	job_checkpoints.fail == set() with input as blind(bare, ["checkpoint_uris"])
	job_checkpoints.scope == set() with input as blind(bare, ["spot", "max_runtime_seconds"])
	job_checkpoints.safe == set() with input as blind(cluster, ["auto_recovery"])
}
