package policies.integrity.dataset_export_test

import data.policies.integrity.dataset_export
import rego.v1

store := {"id": "s", "store_type": "scratch", "repository_uris": ["s3://b"], "overwrites_dataset": false}

link := {"store_type": "repository_link"}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	every change in [{}, link] {
		dataset_export.fail == {{
			"id": "s", "fact": "overwrites_dataset", "expected": false,
			"message": "what changes on the file system is written over training data",
		}} with input as world(object.union(change, {"overwrites_dataset": true}))
	}
}

test_passes if {
	every change in [{}, link, {"store_type": "filesystem"}] {
		dataset_export.scope == {"s"} with input as world(change)
		dataset_export.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"store_type": "bucket"}, {"repository_uris": []}] {
		dataset_export.scope == set() with input as world(change)
		dataset_export.fail == set() with input as world(object.union(change, {"overwrites_dataset": true}))
	}
}

test_blind_proves_nothing if {
	dataset_export.scope == {"s"} with input as blind(["overwrites_dataset"])
	dataset_export.fail == set() with input as blind(["overwrites_dataset"])
	every fact in ["store_type", "repository_uris"] {
		dataset_export.scope == set() with input as blind([fact])
		dataset_export.fail == set() with input as blind([fact])
	}
}
