package policies.iam.trust_public_test

import data.policies.iam.trust_public
import rego.v1

identity := {"id": "r", "identity_type": "role", "service_linked": false, "trust_public": "no", "trust_foreign": []}

params := {"iam.trust_public": {"trusted_accounts": ["333333333333"]}}

world(changes) := {"params": params, "resources": {"identity": [object.union(identity, changes)]}}

blind(facts) := {"params": params, "resources": {"identity": [object.remove(identity, facts)]}}

test_public_fails if {
	trust_public.fail == {{
		"id": "r", "fact": "trust_public", "expected": "no",
		"message": "anyone may assume the role",
	}} with input as world({"trust_public": "yes"})
}

test_foreign_fails if {
	trust_public.fail == {{
		"id": "r", "fact": "trust_foreign", "expected": "trusted accounts alone",
		"message": "accounts that are not trusted may assume the role, without an external id: 111111111111",
	}} with input as world({"trust_foreign": ["111111111111", "333333333333"]})
}

test_passes if {
	every change in [{}, {"trust_foreign": ["333333333333"]}] {
		trust_public.scope == {"r"} with input as world(change)
		trust_public.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"identity_type": "user"}, {"service_linked": true}] {
		trust_public.scope == set() with input as world(change)
		trust_public.fail == set() with input as world(object.union(change, {"trust_public": "yes"}))
	}
}

test_blind_proves_nothing if {
	trust_public.scope == {"r"} with input as blind(["trust_public", "trust_foreign"])
	trust_public.fail == set() with input as blind(["trust_public", "trust_foreign"])
	trust_public.scope == set() with input as blind(["identity_type"])
	trust_public.scope == set() with input as blind(["service_linked"])
}

hidden := {"trust_foreign": [], "trust_foreign_settled": true, "trust_unplaced": ["333333333333"]}

test_trusted_accounts_need_no_place if {
	trust_public.safe == {"r"} with input as world(hidden)
	trust_public.safe == set() with input as world(object.union(hidden, {"trust_unplaced": ["111111111111"]}))
	trust_public.safe == set() with input as world(object.union(hidden, {"trust_public": "yes"}))
	trust_public.fail == set() with input as world(hidden)
	every fact in ["trust_public", "trust_foreign", "trust_foreign_settled", "trust_unplaced"] {
		trust_public.safe == set() with input as {"params": params, "resources": {"identity": [object.remove(object.union(identity, hidden), [fact])]}}
	}
}
