package policies.logging.trail_complete_test

import data.policies.logging.trail_complete
import rego.v1

log := {"id": "t", "logging": true, "validation": true}

world(changes) := {"resources": {"audit_log": [object.union(log, changes)]}}

blind(facts) := {"resources": {"audit_log": [object.remove(log, facts)]}}

test_fails if {
	trail_complete.fail == {
		{"id": "t", "fact": "logging", "expected": true, "message": "the trail is off"},
		{"id": "t", "fact": "validation", "expected": true, "message": "its files are not signed"},
	} with input as world({"logging": false, "validation": false})
}

test_passes if {
	trail_complete.scope == {"t"} with input as world({})
	trail_complete.fail == set() with input as world({})
}

test_out_of_scope if trail_complete.scope == set() with input as {"resources": {"network": [log]}}

test_blind_proves_nothing if {
	trail_complete.scope == {"t"} with input as blind(["logging", "validation"])
	trail_complete.fail == set() with input as blind(["logging", "validation"])
}
