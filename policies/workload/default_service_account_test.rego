package policies.workload.default_service_account_test

import data.policies.workload.default_service_account
import rego.v1

workload := {"id": "w", "operator": "", "token_mounted": false, "service_account": "default", "account_bound": false}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_mounted_fails if {
	default_service_account.fail == {
		{"id": "w", "fact": "service_account", "expected": "one of its own", "message": "uses the account default with its token mounted"},
	} with input as world({"token_mounted": true})
}

test_bound_fails if {
	default_service_account.fail == {
		{"id": "w", "fact": "service_account", "expected": "one of its own", "message": "uses the account default, to which a binding grants something"},
	} with input as world({"account_bound": true})
}

test_sound_passes if {
	default_service_account.fail == set() with input as world({})
	default_service_account.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	default_service_account.scope == set() with input as {"resources": {"other": [workload]}}
	default_service_account.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	default_service_account.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "token_mounted": true})
	default_service_account.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "token_mounted": true})
}

test_own_account_is_safe if {
	default_service_account.safe == {"w"} with input as world({"service_account": "trainer", "token_mounted": true, "account_bound": true})
	default_service_account.fail == set() with input as world({"service_account": "trainer", "token_mounted": true, "account_bound": true})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["token_mounted", "service_account", "account_bound"])]}}
	default_service_account.fail == set() with input as blind
	default_service_account.safe == set() with input as blind
}
