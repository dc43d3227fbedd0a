package policies.logging.account_trail_test

import data.policies.logging.account_trail
import rego.v1

account := {"id": "a", "audit_trail": true}

world(changes) := {"resources": {"account": [object.union(account, changes)]}}

blind(facts) := {"resources": {"account": [object.remove(account, facts)]}}

test_fails if {
	account_trail.fail == {{
		"id": "a", "fact": "audit_trail", "expected": true,
		"message": "no trail records all management events of every region, with signed files",
	}} with input as world({"audit_trail": false})
}

test_passes if {
	account_trail.scope == {"a"} with input as world({})
	account_trail.fail == set() with input as world({})
}

test_out_of_scope if account_trail.scope == set() with input as {"resources": {"audit_log": [account]}}

test_blind_proves_nothing if {
	account_trail.scope == {"a"} with input as blind(["audit_trail"])
	account_trail.fail == set() with input as blind(["audit_trail"])
}
