package policies.iam.resource_policy_inside_secret_test

import data.policies.iam.resource_policy_inside_secret
import rego.v1

it := {
	"id": "s", "policy_statements": [{"effect": "Allow"}], "outside_access": [], "outside_access_settled": true,
}

world(changes) := {"resources": {"credential": [object.union(it, changes)]}, "params": {"iam.resource_policy_inside_secret": params}}

blind(changes, facts) := {"resources": {"credential": [object.remove(object.union(it, changes), facts)]}, "params": {"iam.resource_policy_inside_secret": params}}

params := {"trusted_accounts": [], "trusted_organisations": []}

entries := [
	{"access": "account", "principal": "2"}, {"access": "account", "principal": "1"},
	{"access": "organisation", "principal": "o-other"}, {"access": "public", "principal": "*"},
]

finding(actual, message) := {
	"id": "s", "fact": "outside_access", "expected": "inside the organisation", "actual": actual, "message": message,
}

test_fails if {
	found := entries
	resource_policy_inside_secret.fail == {
		finding([found[3]], "its policy lets anyone in"),
		finding(["1", "2"], "its policy lets in accounts that are not trusted: 1, 2"),
		finding(["o-other"], "its policy lets in everyone of other organisations: o-other"),
	} with input as world({"outside_access": found})
}

test_what_is_trusted_passes if {
	resource_policy_inside_secret.fail == {finding(["2"], "its policy lets in accounts that are not trusted: 2")} with input as object.union(
		world({"outside_access": array.slice(entries, 0, 3)}),
		{"params": {"iam.resource_policy_inside_secret": {"trusted_accounts": ["1"], "trusted_organisations": ["o-other"]}}},
	)
}

test_passes if {
	resource_policy_inside_secret.fail == set() with input as world({})
	resource_policy_inside_secret.scope == {"s"} with input as world({})
}

test_out_of_scope if {
	resource_policy_inside_secret.scope == set() with input as world({"policy_statements": []})
	resource_policy_inside_secret.fail == set() with input as world({"policy_statements": [], "outside_access": entries})
}

test_blind_proves_nothing if {
	every fact in ["policy_statements", "outside_access"] {
		resource_policy_inside_secret.fail == set() with input as blind({"outside_access": entries}, [fact])
	}
}
