package policies.workload.service_account_token_test

import data.policies.workload.service_account_token
import rego.v1

workload := {"id": "w", "operator": "", "token_mounted": true, "service_account": "trainer", "account_bound": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_default_fails if {
	service_account_token.fail == {
		{"id": "w", "fact": "token_mounted", "expected": false, "message": "its pods get a token of the service account default"},
	} with input as world({"service_account": "default"})
}

test_needless_fails if {
	service_account_token.fail == {
		{"id": "w", "fact": "token_mounted", "expected": false, "message": "its pods get a token of trainer, to which nothing is granted"},
	} with input as world({"account_bound": false})
}

test_sound_passes if {
	service_account_token.fail == set() with input as world({})
	service_account_token.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	service_account_token.scope == set() with input as {"resources": {"other": [workload]}}
	service_account_token.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	service_account_token.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "service_account": "default"})
	service_account_token.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "service_account": "default"})
}

test_no_token_is_safe if {
	service_account_token.safe == {"w"} with input as world({"token_mounted": false, "account_bound": false})
	service_account_token.fail == set() with input as world({"token_mounted": false, "account_bound": false})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["token_mounted", "service_account", "account_bound"])]}}
	service_account_token.fail == set() with input as blind
	service_account_token.safe == set() with input as blind
}
