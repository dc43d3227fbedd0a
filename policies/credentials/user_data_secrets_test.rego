package policies.credentials.user_data_secrets_test

import data.policies.credentials.user_data_secrets
import rego.v1

secret := {"kind": "GitHub token", "location": "line 3", "fingerprint": "0a1b2c3d"}

world(facts) := {"resources": {"node": [object.union({"id": "n"}, facts)]}}

test_fails if {
	found := secret
	user_data_secrets.fail == {{
		"id": "n", "fact": "user_data_secrets", "expected": [], "actual": [found], "tag": "GitHub token 0a1b2c3d",
		"message": "GitHub token in the user data, line 3",
	}} with input as world({"user_data_secrets": [found]})
}

test_an_edit_above_moves_no_finding if {
	moved := object.union(secret, {"location": "line 9"})
	{f.tag | some f in user_data_secrets.fail} == {"GitHub token 0a1b2c3d"} with input as world({"user_data_secrets": [moved]})
}

test_each_is_told_apart if {
	count(user_data_secrets.fail) == 2 with input as world({"user_data_secrets": [secret, object.union(secret, {"location": "line 4"})]})
}

test_passes if {
	user_data_secrets.scope == {"n"} with input as world({"user_data_secrets": []})
	user_data_secrets.fail == set() with input as world({"user_data_secrets": []})
}

test_out_of_scope if {
	user_data_secrets.scope == set() with input as {"resources": {"node": []}}
}

test_blind_proves_nothing if {
	user_data_secrets.fail == set() with input as world({})
}
