package policies.iam.policy_admin_access_test

import data.policies.iam.policy_admin_access
import rego.v1

policy := {"id": "p", "system": false, "attachments": 2, "grants_admin": false}

world(changes) := {"resources": {"permission_set": [object.union(policy, changes)]}}

blind(facts) := {"resources": {"permission_set": [object.remove(policy, facts)]}}

test_fails if {
	policy_admin_access.fail == {{
		"id": "p", "fact": "grants_admin", "expected": false,
		"message": "may do every action on every resource",
	}} with input as world({"grants_admin": true})
}

test_passes if {
	policy_admin_access.scope == {"p"} with input as world({})
	policy_admin_access.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"system": true}, {"attachments": 0}] {
		policy_admin_access.scope == set() with input as world(change)
		policy_admin_access.fail == set() with input as world(object.union(change, {"grants_admin": true}))
	}
}

test_blind_proves_nothing if {
	policy_admin_access.scope == {"p"} with input as blind(["grants_admin"])
	policy_admin_access.fail == set() with input as blind(["grants_admin"])
	every fact in ["system", "attachments"] {
		policy_admin_access.scope == set() with input as blind([fact])
	}
}
