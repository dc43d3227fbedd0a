package policies.logging.object_reads_test

import data.policies.logging.object_reads
import rego.v1

bucket := {"id": "b", "holds_data": true, "object_reads_recorded": true}

asked(resource) := {"resources": {"data_store": [resource]}}

world(changes) := asked(object.union(bucket, changes))

test_fails if {
	object_reads.fail == {{
		"id": "b", "fact": "object_reads_recorded", "expected": true,
		"message": "nobody records who reads its objects",
	}} with input as world({"object_reads_recorded": false})
}

test_passes if {
	object_reads.fail == set() with input as world({})
	object_reads.scope == {"b"} with input as world({})
}

test_out_of_scope if {
	object_reads.scope == set() with input as world({"holds_data": false})
	object_reads.fail == set() with input as world({"holds_data": false, "object_reads_recorded": false})
}

test_blind_proves_nothing if {
	object_reads.fail == set() with input as asked(object.remove(bucket, ["object_reads_recorded"]))
	object_reads.fail == set() with input as asked(object.remove(object.union(bucket, {"object_reads_recorded": false}), ["holds_data"]))
}
