package policies.iam.organisation_guardrails_test

import data.policies.iam.organisation_guardrails
import rego.v1

it := {
	"id": "arn:aws:organizations::111111111111:organization", "organisation_in_use": true,
	"management_account": "222222222222", "guarded_services": ["cloudtrail", "guardduty", "kms"],
}

world(changes) := {"resources": {"account": [object.union(it, changes)]}, "params": {"iam.organisation_guardrails": params}}

blind(changes, facts) := {"resources": {"account": [object.remove(object.union(it, changes), facts)]}, "params": {"iam.organisation_guardrails": params}}

params := {}

test_fails if {
	organisation_guardrails.fail == {{
		"id": "arn:aws:organizations::111111111111:organization", "fact": "guarded_services",
		"expected": ["cloudtrail", "guardduty", "kms"], "actual": ["kms"],
		"message": "no policy of the organisation protects cloudtrail, guardduty",
	}} with input as world({"guarded_services": ["kms"]})
}

test_passes if {
	organisation_guardrails.fail == set() with input as world({})
	count(organisation_guardrails.scope) == 1 with input as world({})
}

test_out_of_scope if {
	every change in [{"organisation_in_use": false, "management_account": ""}, {"management_account": "111111111111"}] {
		organisation_guardrails.scope == set() with input as world(change)
		organisation_guardrails.fail == set() with input as world(object.union(change, {"guarded_services": []}))
	}
}

test_blind_proves_nothing if {
	every fact in ["organisation_in_use", "management_account", "guarded_services"] {
		organisation_guardrails.fail == set() with input as blind({"guarded_services": []}, [fact])
	}
}
