package policies.iam.policy_data_wildcards_test

import data.policies.iam.policy_data_wildcards
import rego.v1

policy := {"id": "p", "system": false, "attachments": 2, "grants_admin": false, "data_wildcards": []}

world(changes) := {"resources": {"permission_set": [object.union(policy, changes)]}}

blind(facts) := {"resources": {"permission_set": [object.remove(policy, facts)]}}

test_fails if {
	policy_data_wildcards.fail == {{
		"id": "p", "fact": "data_wildcards", "expected": [],
		"message": "may do everything with every resource of kms, s3",
	}} with input as world({"data_wildcards": ["s3", "kms"]})
}

test_passes if {
	policy_data_wildcards.scope == {"p"} with input as world({})
	policy_data_wildcards.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"system": true}, {"attachments": 0}, {"grants_admin": true}] {
		policy_data_wildcards.scope == set() with input as world(change)
		policy_data_wildcards.fail == set() with input as world(object.union(change, {"data_wildcards": ["s3", "kms"]}))
	}
}

test_blind_proves_nothing if {
	policy_data_wildcards.scope == {"p"} with input as blind(["data_wildcards"])
	policy_data_wildcards.fail == set() with input as blind(["data_wildcards"])
	every fact in ["system", "attachments", "grants_admin"] {
		policy_data_wildcards.scope == set() with input as blind([fact])
	}
}
