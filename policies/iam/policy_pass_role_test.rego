package policies.iam.policy_pass_role_test

import data.policies.iam.policy_pass_role
import rego.v1

policy := {"id": "p", "system": false, "attachments": 2, "grants_admin": false, "pass_role_any": false}

world(changes) := {"resources": {"permission_set": [object.union(policy, changes)]}}

blind(facts) := {"resources": {"permission_set": [object.remove(policy, facts)]}}

test_fails if {
	policy_pass_role.fail == {{
		"id": "p", "fact": "pass_role_any", "expected": false,
		"message": "may pass any role to any service (iam:PassRole)",
	}} with input as world({"pass_role_any": true})
}

test_passes if {
	policy_pass_role.scope == {"p"} with input as world({})
	policy_pass_role.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"system": true}, {"attachments": 0}, {"grants_admin": true}] {
		policy_pass_role.scope == set() with input as world(change)
		policy_pass_role.fail == set() with input as world(object.union(change, {"pass_role_any": true}))
	}
}

test_blind_proves_nothing if {
	policy_pass_role.scope == {"p"} with input as blind(["pass_role_any"])
	policy_pass_role.fail == set() with input as blind(["pass_role_any"])
	every fact in ["system", "attachments", "grants_admin"] {
		policy_pass_role.scope == set() with input as blind([fact])
	}
}
