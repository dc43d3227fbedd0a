package policies.iam.ci_subject_pinned_test

import data.policies.iam.ci_subject_pinned
import rego.v1

pinned := {"provider": "token.actions.githubusercontent.com", "provider_type": "ci", "subject": "exact", "audience": true}

loose(changes) := object.union(pinned, changes)

world(providers) := {"params": {"iam.ci_subject_pinned": {"allow_organization": false}}, "resources": {"identity": [{"id": "r", "trust_oidc": providers}]}}

test_any_subject_fails if {
	ci_subject_pinned.fail == {{
		"id": "r", "fact": "trust_oidc", "expected": "the repository pinned",
		"message": "token.actions.githubusercontent.com: any repository may assume the role, the subject (sub) is not pinned",
	}} with input as world([loose({"subject": "any"})])
}

test_organization_fails_unless_allowed if {
	organization := world([loose({"subject": "organization"})])
	ci_subject_pinned.fail == {{
		"id": "r", "fact": "trust_oidc", "expected": "the repository pinned",
		"message": "token.actions.githubusercontent.com: every repository of the organisation may assume the role",
	}} with input as organization
	ci_subject_pinned.fail == set() with input as object.union(organization, {"params": {"iam.ci_subject_pinned": {"allow_organization": true}}})
}

test_audience_fails if {
	ci_subject_pinned.fail == {{
		"id": "r", "fact": "trust_oidc", "expected": "the audience pinned",
		"message": "token.actions.githubusercontent.com: the trust policy does not pin the audience (aud)",
	}} with input as world([loose({"audience": false})])
}

test_passes if {
	every subject in ["exact", "pattern"] {
		ci_subject_pinned.scope == {"r"} with input as world([loose({"subject": subject})])
		ci_subject_pinned.fail == set() with input as world([loose({"subject": subject})])
	}
}

test_out_of_scope if {
	every providers in [[], [loose({"provider_type": "other", "subject": "any"})]] {
		ci_subject_pinned.scope == set() with input as world(providers)
		ci_subject_pinned.fail == set() with input as world(providers)
	}
}

test_blind_proves_nothing if {
	ci_subject_pinned.scope == set() with input as {"params": {"iam.ci_subject_pinned": {"allow_organization": false}}, "resources": {"identity": [{"id": "r"}]}}
	ci_subject_pinned.fail == set() with input as {"params": {"iam.ci_subject_pinned": {"allow_organization": false}}, "resources": {"identity": [{"id": "r"}]}}
}
