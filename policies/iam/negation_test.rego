package policies.iam.negation_test

import data.policies.iam.negation
import rego.v1

identity := {"id": "i", "name": "i", "service_linked": false, "uses_negation": false}

world(changes) := {"params": {"iam.admin_access": {"break_glass": ["firefighter"]}}, "resources": {"identity": [object.union(identity, changes)]}}

blind(facts) := {"params": {"iam.admin_access": {"break_glass": []}}, "resources": {"identity": [object.remove(identity, facts)]}}

test_fails if {
	negation.fail == {{
		"id": "i", "fact": "uses_negation", "expected": false,
		"message": "an Allow names what it leaves out (NotAction, NotResource), not what it allows",
	}} with input as world({"uses_negation": true})
}

test_passes if {
	negation.scope == {"i"} with input as world({})
	negation.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"service_linked": true}] {
		negation.scope == set() with input as world(change)
		negation.fail == set() with input as world(object.union(change, {"uses_negation": true}))
	}
}

test_blind_proves_nothing if {
	negation.scope == {"i"} with input as blind(["uses_negation"])
	negation.fail == set() with input as blind(["uses_negation"])
	every fact in ["service_linked"] {
		negation.scope == set() with input as blind([fact])
	}
}
