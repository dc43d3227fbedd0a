package policies.exposure.account_block_public_test

import data.policies.exposure.account_block_public
import rego.v1

account := {
	"id": "a", "block_public_acls": true, "ignore_public_acls": true, "block_public_policy": true,
	"restrict_public_buckets": true,
}

world(changes) := {"resources": {"account": [object.union(account, changes)]}}

blind(facts) := {"resources": {"account": [object.remove(account, facts)]}}

test_fails if {
	account_block_public.fail == {
		{"id": "a", "fact": "ignore_public_acls", "expected": true, "message": "public ACLs have effect"},
		{"id": "a", "fact": "restrict_public_buckets", "expected": true, "message": "public bucket policies reach beyond the account"},
	} with input as world({"ignore_public_acls": false, "restrict_public_buckets": false})
}

test_passes if {
	account_block_public.scope == {"a"} with input as world({})
	account_block_public.fail == set() with input as world({})
}

test_out_of_scope if account_block_public.scope == set() with input as {"resources": {"data_store": [account]}}

test_blind_proves_nothing if {
	every fact in ["block_public_acls", "ignore_public_acls", "block_public_policy", "restrict_public_buckets"] {
		account_block_public.scope == {"a"} with input as blind([fact])
		account_block_public.fail == set() with input as blind([fact])
	}
}
