package policies.exposure.account_block_sharing_test

import data.policies.exposure.account_block_sharing
import rego.v1

world(facts) := {"resources": {"account": [object.union({"id": "a"}, facts)]}}

test_fails if {
	account_block_sharing.fail == {{
		"id": "a", "fact": "sharing_block", "expected": "all",
		"message": "nothing keeps them from being shared with everyone",
	}} with input as world({"sharing_block": "none"})
}

test_passes if {
	every block in ["all", "new"] {
		account_block_sharing.scope == {"a"} with input as world({"sharing_block": block})
		account_block_sharing.fail == set() with input as world({"sharing_block": block})
	}
}

test_out_of_scope if {
	account_block_sharing.scope == set() with input as {"resources": {"account": []}}
}

test_blind_proves_nothing if {
	account_block_sharing.fail == set() with input as world({})
}
