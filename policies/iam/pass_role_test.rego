package policies.iam.pass_role_test

import data.policies.iam.pass_role
import rego.v1

identity := {"id": "i", "name": "i", "service_linked": false, "grants_admin": false, "pass_role_any": false}

world(changes) := {"params": {"iam.admin_access": {"break_glass": ["firefighter"]}}, "resources": {"identity": [object.union(identity, changes)]}}

blind(facts) := {"params": {"iam.admin_access": {"break_glass": []}}, "resources": {"identity": [object.remove(identity, facts)]}}

test_fails if {
	pass_role.fail == {{
		"id": "i", "fact": "pass_role_any", "expected": false,
		"message": "may pass any role to any service (iam:PassRole)",
	}} with input as world({"pass_role_any": true})
}

test_passes if {
	pass_role.scope == {"i"} with input as world({})
	pass_role.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"service_linked": true}, {"grants_admin": true}] {
		pass_role.scope == set() with input as world(change)
		pass_role.fail == set() with input as world(object.union(change, {"pass_role_any": true}))
	}
}

test_blind_proves_nothing if {
	pass_role.scope == {"i"} with input as blind(["pass_role_any"])
	pass_role.fail == set() with input as blind(["pass_role_any"])
	every fact in ["service_linked", "grants_admin"] {
		pass_role.scope == set() with input as blind([fact])
	}
}
