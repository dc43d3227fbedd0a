package policies.iam.delegated_admin_bounded_test

import data.policies.iam.delegated_admin_bounded
import rego.v1

it := {
	"id": "r", "name": "r", "service_linked": false, "grants_admin": false, "makes_unbounded_roles": [],
}

world(changes) := {"resources": {"identity": [object.union(it, changes)]}, "params": {"iam.delegated_admin_bounded": params}}

blind(changes, facts) := {"resources": {"identity": [object.remove(object.union(it, changes), facts)]}, "params": {"iam.delegated_admin_bounded": params}}

params := {"administrators": []}

test_fails if {
	delegated_admin_bounded.fail == {{
		"id": "r", "fact": "makes_unbounded_roles", "expected": [], "actual": ["iam:CreateRole", "iam:AttachRolePolicy"],
		"message": "makes roles that nothing bounds: iam:AttachRolePolicy, iam:CreateRole",
	}} with input as world({"makes_unbounded_roles": ["iam:CreateRole", "iam:AttachRolePolicy"]})
}

test_passes if {
	delegated_admin_bounded.fail == set() with input as world({})
	delegated_admin_bounded.scope == {"r"} with input as world({})
}

test_out_of_scope if {
	every change in [{"service_linked": true}, {"grants_admin": true}] {
		delegated_admin_bounded.scope == set() with input as world(change)
		delegated_admin_bounded.fail == set() with input as world(object.union(change, {"makes_unbounded_roles": ["iam:CreateRole"]}))
	}
	delegated_admin_bounded.exempt == {{
		"id": "r", "reason": "of the admin set (administrators)",
	}} with input as object.union(world({}), {"params": {"iam.delegated_admin_bounded": {"administrators": ["r"]}}})
}

test_blind_proves_nothing if {
	every fact in ["service_linked", "grants_admin", "makes_unbounded_roles"] {
		delegated_admin_bounded.fail == set() with input as blind({"makes_unbounded_roles": ["iam:CreateRole"]}, [fact])
	}
}
