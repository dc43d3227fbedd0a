package policies.logging.object_events_test

import data.policies.logging.object_events
import rego.v1

bucket := {"id": "b", "holds_data": true, "object_writes_recorded": true}

asked(resource) := {"resources": {"data_store": [resource]}}

world(changes) := asked(object.union(bucket, changes))

test_fails if {
	object_events.fail == {{
		"id": "b", "fact": "object_writes_recorded", "expected": true,
		"message": "nobody records who writes and deletes its objects",
	}} with input as world({"object_writes_recorded": false})
}

test_passes if {
	object_events.fail == set() with input as world({})
	object_events.scope == {"b"} with input as world({})
}

test_out_of_scope if {
	object_events.scope == set() with input as world({"holds_data": false})
	object_events.fail == set() with input as world({"holds_data": false, "object_writes_recorded": false})
}

test_blind_proves_nothing if {
	object_events.fail == set() with input as asked(object.remove(bucket, ["object_writes_recorded"]))
	object_events.fail == set() with input as asked(object.remove(object.union(bucket, {"object_writes_recorded": false}), ["holds_data"]))
}
