package policies.credentials.environment_secrets_test

import data.policies.credentials.environment_secrets
import rego.v1

secret := {"kind": "Hugging Face token", "location": "serve, HF_TOKEN", "fingerprint": "0a1b2c3d"}

world(facts) := {"resources": {"workload": [object.union({"id": "r"}, facts)]}}

test_fails if {
	found := secret
	environment_secrets.fail == {{
		"id": "r", "fact": "environment_secrets", "expected": [], "actual": [found], "tag": "serve, HF_TOKEN 0a1b2c3d",
		"message": "Hugging Face token in clear text: serve, HF_TOKEN",
	}} with input as world({"environment_secrets": [found]})
}

test_an_edit_above_moves_no_finding if {
	moved := object.union(secret, {"location": "serve, HF_TOKEN, line 4"})
	{f.tag | some f in environment_secrets.fail} == {"serve, HF_TOKEN 0a1b2c3d"} with input as world({"environment_secrets": [moved]})
}

test_passes if {
	environment_secrets.scope == {"r"} with input as world({"environment_secrets": []})
	environment_secrets.fail == set() with input as world({"environment_secrets": []})
}

test_out_of_scope if {
	environment_secrets.scope == set() with input as {"resources": {"workload": []}}
}

test_blind_proves_nothing if {
	environment_secrets.fail == set() with input as world({})
}
