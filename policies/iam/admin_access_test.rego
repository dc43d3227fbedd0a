package policies.iam.admin_access_test

import data.policies.iam.admin_access
import rego.v1

identity := {"id": "i", "name": "i", "service_linked": false, "grants_admin": false}

world(changes) := {"params": {"iam.admin_access": {"break_glass": ["firefighter"]}}, "resources": {"identity": [object.union(identity, changes)]}}

blind(facts) := {"params": {"iam.admin_access": {"break_glass": []}}, "resources": {"identity": [object.remove(identity, facts)]}}

test_fails if {
	admin_access.fail == {{
		"id": "i", "fact": "grants_admin", "expected": false,
		"message": "may do every action on every resource",
	}} with input as world({"grants_admin": true})
}

test_passes if {
	admin_access.scope == {"i"} with input as world({})
	admin_access.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"service_linked": true}] {
		admin_access.scope == set() with input as world(change)
		admin_access.fail == set() with input as world(object.union(change, {"grants_admin": true}))
	}
}

test_exempt if {
	admin_access.exempt == {{"id": "i", "reason": "a break-glass identity (break_glass)"}} with input as world({"name": "firefighter", "grants_admin": true})
	sso := "arn:aws:iam::111111111111:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Admin_1"
	admin_access.exempt == {{
		"id": sso,
		"reason": "a permission set of IAM Identity Center, which grants it for a session",
	}} with input as world({"id": sso, "grants_admin": true})
	admin_access.exempt == set() with input as world({"grants_admin": true})
}

test_blind_proves_nothing if {
	admin_access.scope == {"i"} with input as blind(["grants_admin"])
	admin_access.fail == set() with input as blind(["grants_admin"])
	every fact in ["service_linked"] {
		admin_access.scope == set() with input as blind([fact])
	}
}
