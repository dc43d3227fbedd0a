package policies.logging.security_hub_test

import data.policies.logging.security_hub
import rego.v1

region := {"id": "r", "in_use": true, "security_hub": true, "best_practices_standard": "ready"}

asked(resource) := {"resources": {"account": [resource]}}

world(changes) := asked(object.union(region, changes))

test_off_fails_once if {
	security_hub.fail == {{"id": "r", "fact": "security_hub", "expected": true, "message": "Security Hub is not on"}} with input as world({"security_hub": false, "best_practices_standard": "off"})
}

test_standard_fails if {
	every state, message in {
		"off": "the standard of best practices is not on",
		"starting": "the standard of best practices is not ready yet",
		"failed": "the standard of best practices could not be turned on",
	} {
		security_hub.fail == {{"id": "r", "fact": "best_practices_standard", "expected": "ready", "message": message}} with input as world({"best_practices_standard": state})
	}
}

test_passes if {
	security_hub.fail == set() with input as world({})
	security_hub.scope == {"r"} with input as world({})
}

test_out_of_scope if {
	security_hub.scope == set() with input as world({"in_use": false})
	security_hub.fail == set() with input as world({"in_use": false, "security_hub": false})
}

test_blind_proves_nothing if {
	off := object.union(region, {"best_practices_standard": "off"})
	every fact in ["in_use", "security_hub", "best_practices_standard"] {
		security_hub.fail == set() with input as asked(object.remove(off, [fact]))
	}
}
