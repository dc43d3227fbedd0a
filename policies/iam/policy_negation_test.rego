package policies.iam.policy_negation_test

import data.policies.iam.policy_negation
import rego.v1

policy := {"id": "p", "system": false, "attachments": 2, "uses_negation": false}

world(changes) := {"resources": {"permission_set": [object.union(policy, changes)]}}

blind(facts) := {"resources": {"permission_set": [object.remove(policy, facts)]}}

test_fails if {
	policy_negation.fail == {{
		"id": "p", "fact": "uses_negation", "expected": false,
		"message": "an Allow names what it leaves out (NotAction, NotResource), not what it allows",
	}} with input as world({"uses_negation": true})
}

test_passes if {
	policy_negation.scope == {"p"} with input as world({})
	policy_negation.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"system": true}, {"attachments": 0}] {
		policy_negation.scope == set() with input as world(change)
		policy_negation.fail == set() with input as world(object.union(change, {"uses_negation": true}))
	}
}

test_blind_proves_nothing if {
	policy_negation.scope == {"p"} with input as blind(["uses_negation"])
	policy_negation.fail == set() with input as blind(["uses_negation"])
	every fact in ["system", "attachments"] {
		policy_negation.scope == set() with input as blind([fact])
	}
}
