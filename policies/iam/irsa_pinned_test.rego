package policies.iam.irsa_pinned_test

import data.policies.iam.irsa_pinned
import rego.v1

pinned := {"provider": "oidc.eks.us-east-1.amazonaws.com/id/A", "provider_type": "kubernetes", "subject": "exact", "audience": true}

loose(changes) := object.union(pinned, changes)

world(providers) := {"params": {}, "resources": {"identity": [{"id": "r", "trust_oidc": providers}]}}

test_any_subject_fails if {
	irsa_pinned.fail == {{
		"id": "r", "fact": "trust_oidc", "expected": "namespace and service account pinned",
		"message": "oidc.eks.us-east-1.amazonaws.com/id/A: any service account may assume the role, the namespace is not pinned",
	}} with input as world([loose({"subject": "any"})])
}

test_audience_fails if {
	irsa_pinned.fail == {{
		"id": "r", "fact": "trust_oidc", "expected": "the audience pinned",
		"message": "oidc.eks.us-east-1.amazonaws.com/id/A: the trust policy does not pin the audience (aud) to that of STS",
	}} with input as world([loose({"audience": false})])
}

test_passes if {
	every subject in ["exact", "pattern"] {
		irsa_pinned.scope == {"r"} with input as world([loose({"subject": subject})])
		irsa_pinned.fail == set() with input as world([loose({"subject": subject})])
	}
}

test_out_of_scope if {
	every providers in [[], [loose({"provider_type": "other", "subject": "any"})]] {
		irsa_pinned.scope == set() with input as world(providers)
		irsa_pinned.fail == set() with input as world(providers)
	}
}

test_blind_proves_nothing if {
	irsa_pinned.scope == set() with input as {"params": {}, "resources": {"identity": [{"id": "r"}]}}
	irsa_pinned.fail == set() with input as {"params": {}, "resources": {"identity": [{"id": "r"}]}}
}
