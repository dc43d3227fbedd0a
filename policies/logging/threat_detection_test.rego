package policies.logging.threat_detection_test

import data.policies.logging.threat_detection
import rego.v1

region := {"id": "r", "in_use": true, "threat_detection": true}

asked(resource) := {"resources": {"account": [resource]}}

world(changes) := asked(object.union(region, changes))

test_fails if {
	threat_detection.fail == {{
		"id": "r", "fact": "threat_detection", "expected": true,
		"message": "no threat detector watches the region",
	}} with input as world({"threat_detection": false})
}

test_passes if {
	threat_detection.fail == set() with input as world({})
	threat_detection.scope == {"r"} with input as world({})
}

test_out_of_scope if {
	threat_detection.scope == set() with input as world({"in_use": false})
	threat_detection.fail == set() with input as world({"in_use": false, "threat_detection": false})
}

test_blind_proves_nothing if {
	threat_detection.fail == set() with input as asked(object.remove(object.union(region, {"threat_detection": false}), ["in_use"]))
	threat_detection.fail == set() with input as asked(object.remove(region, ["threat_detection"]))
}
