package policies.iam.privilege_escalation_test

import data.policies.iam.privilege_escalation
import rego.v1

it := {
	"id": "arn:aws:iam::1:role/team/r", "name": "r", "service_linked": false, "grants_admin": false,
	"escalations": [], "organisation_policies": "seen",
}

world(changes) := {"resources": {"identity": [object.union(it, changes)]}, "params": {"iam.privilege_escalation": params}}

blind(changes, facts) := {"resources": {"identity": [object.remove(object.union(it, changes), facts)]}, "params": {"iam.privilege_escalation": params}}

params := {"administrators": []}

way := {"path": "put_role_policy", "actions": "iam:PutRolePolicy", "source": "https://example.org"}

other := {"path": "pass", "actions": "iam:PassRole + ec2:RunInstances", "source": "https://example.org"}

test_fails if {
	privilege_escalation.fail == {{
		"id": "arn:aws:iam::1:role/team/r", "fact": "escalations", "expected": [],
		"actual": ["iam:PassRole + ec2:RunInstances", "iam:PutRolePolicy"],
		"message": "can give itself more than it has: iam:PassRole + ec2:RunInstances; iam:PutRolePolicy",
	}} with input as world({"escalations": [way, other]})
	privilege_escalation.safe == set() with input as world({"escalations": [way]})
}

test_says_where_the_organisation_was_not_seen if {
	privilege_escalation.fail == {{
		"id": "arn:aws:iam::1:role/team/r", "fact": "escalations", "expected": [], "actual": ["iam:PutRolePolicy"],
		"message": "can give itself more than it has (organisation policies not seen): iam:PutRolePolicy",
	}} with input as world({"escalations": [way], "organisation_policies": "unseen"})
}

test_passes if {
	privilege_escalation.fail == set() with input as world({})
	privilege_escalation.safe == {"arn:aws:iam::1:role/team/r"} with input as world({})
}

test_administrators_are_exempt if {
	privilege_escalation.scope == set() with input as world({"grants_admin": true, "escalations": [way]})
	privilege_escalation.fail == set() with input as world({"grants_admin": true, "escalations": [way]})
	privilege_escalation.exempt == {{
		"id": "arn:aws:iam::1:role/team/r", "reason": "an administrator anyway, which is for iam.admin_access",
	}} with input as world({"grants_admin": true})
	every pattern in ["r", "r*", "/team/"] {
		privilege_escalation.exempt == {{
			"id": "arn:aws:iam::1:role/team/r", "reason": "of the admin set (administrators)",
		}} with input as object.union(world({}), {"params": {"iam.privilege_escalation": {"administrators": [pattern]}}})
	}
}

test_out_of_scope if {
	privilege_escalation.scope == set() with input as world({"service_linked": true})
	privilege_escalation.fail == set() with input as world({"service_linked": true, "escalations": [way]})
}

test_blind_proves_nothing if {
	every fact in ["service_linked", "grants_admin", "escalations", "organisation_policies"] {
		privilege_escalation.fail == set() with input as blind({"escalations": [way]}, [fact])
	}
	privilege_escalation.safe == set() with input as blind({}, ["escalations"])
}
