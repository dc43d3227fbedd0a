package policies.integrity.k8s_dataset_read_only_test

import data.policies.integrity.k8s_dataset_read_only
import rego.v1

mount := {"container": "main", "volume": "v", "path": "/data/imagenet", "claim": "imagenet", "read_only": true}

workload := {
	"id": "w", "name": "trainer", "operator": "", "ai_role": "training", "volume_mounts": [mount],
	"writable_mounts": [], "writable_mounts_settled": true,
}

params := {"integrity.k8s_dataset_read_only": {
	"paths": ["/data"], "names": ["dataset"], "written": ["checkpoint"], "ingest": ["ingest"],
}}

world(changes) := {"params": params, "resources": {"workload": [object.union(workload, changes)]}}

writable(changes) := world({
	"volume_mounts": [object.union(mount, object.union({"read_only": false}, changes))],
	"writable_mounts": [object.union(object.remove(mount, ["read_only"]), changes)],
})

test_writable_fails if {
	k8s_dataset_read_only.fail == {{
		"id": "w", "fact": "writable_mounts", "expected": "readOnly: true", "tag": "main /data/imagenet",
		"actual": {"container": "main", "path": "/data/imagenet", "claim": "imagenet"},
		"message": "container main can write to the dataset at /data/imagenet",
	}} with input as writable({})
	count(k8s_dataset_read_only.fail) == 1 with input as writable({"path": "/mnt", "claim": "Dataset-1"})
}

test_read_only_passes if {
	k8s_dataset_read_only.fail == set() with input as world({})
	k8s_dataset_read_only.scope == {"w"} with input as world({})
	k8s_dataset_read_only.safe == {"w"} with input as world({})
}

test_what_is_no_dataset_is_out_of_scope if {
	k8s_dataset_read_only.scope == set() with input as writable({"path": "/database"})
	k8s_dataset_read_only.scope == set() with input as writable({"path": "/data/checkpoints"})
	k8s_dataset_read_only.scope == set() with input as world({"ai_role": "data"})
	k8s_dataset_read_only.scope == set() with input as world({"name": "Ingest-images"})
}

test_operator_is_exempt if {
	k8s_dataset_read_only.exempt == {{"id": "w", "reason": "Weka owns it and needs it"}} with input as world({"operator": "Weka"})
}

test_blind_proves_nothing if {
	blind := {"params": params, "resources": {"workload": [object.remove(workload, ["writable_mounts", "volume_mounts"])]}}
	k8s_dataset_read_only.fail == set() with input as blind
	k8s_dataset_read_only.scope == set() with input as blind
	k8s_dataset_read_only.safe == set() with input as blind
}
