package policies.encryption.cmk_policy_scope_test

import data.policies.encryption.cmk_policy_scope
import rego.v1

key := {"id": "k", "manager": "customer", "public": "no", "foreign_accounts": [], "granted_accounts": []}

params := {"encryption.cmk_policy_scope": {"trusted_accounts": ["333333333333"]}}

world(changes) := {"params": params, "resources": {"key": [object.union(key, changes)]}}

blind(facts) := {"params": params, "resources": {"key": [object.remove(key, facts)]}}

test_public_fails if {
	cmk_policy_scope.fail == {{
		"id": "k", "fact": "public", "expected": "no",
		"message": "anyone may use the key",
	}} with input as world({"public": "yes"})
}

test_foreign_fails if {
	cmk_policy_scope.fail == {{
		"id": "k", "fact": "foreign_accounts", "expected": "trusted accounts alone",
		"message": "accounts that are not trusted may use the key: 111111111111, 222222222222",
	}} with input as world({"foreign_accounts": ["222222222222", "333333333333", "111111111111"]})
}

test_passes if {
	every change in [{}, {"foreign_accounts": ["333333333333"]}] {
		cmk_policy_scope.scope == {"k"} with input as world(change)
		cmk_policy_scope.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	cmk_policy_scope.scope == set() with input as world({"manager": "provider"})
	cmk_policy_scope.fail == set() with input as world({"manager": "provider", "public": "yes"})
}

test_blind_proves_nothing if {
	cmk_policy_scope.scope == {"k"} with input as blind(["public", "foreign_accounts"])
	cmk_policy_scope.fail == set() with input as blind(["public", "foreign_accounts"])
	cmk_policy_scope.scope == set() with input as blind(["manager"])
}

test_grants_to_strangers_fail if {
	cmk_policy_scope.fail == {{
		"id": "k", "fact": "granted_accounts", "expected": "trusted accounts alone",
		"message": "accounts that are not trusted have grants to use the key: 111111111111",
	}} with input as world({"granted_accounts": ["333333333333", "111111111111"]})
	cmk_policy_scope.fail == set() with input as world({"granted_accounts": ["333333333333"]})
}
