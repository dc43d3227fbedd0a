package policies.encryption.custom_model_cmk_test

import data.policies.encryption.custom_model_cmk
import rego.v1

model := {"id": "m", "service_type": "custom_model", "key_manager": "customer"}

world(changes) := {"resources": {"model_service": [object.union(model, changes)]}}

test_fails if {
	every manager in ["provider", "none"] {
		custom_model_cmk.fail == {{
			"id": "m", "fact": "key_manager", "expected": "customer",
			"message": "the model is encrypted with a key of the provider's own, not a customer-managed one",
		}} with input as world({"key_manager": manager})
	}
}

test_passes if {
	custom_model_cmk.fail == set() with input as world({})
	custom_model_cmk.scope == {"m"} with input as world({})
}

test_out_of_scope if {
	custom_model_cmk.scope == set() with input as world({"service_type": "agent"})
	custom_model_cmk.fail == set() with input as world({"service_type": "agent", "key_manager": "provider"})
}

test_blind_proves_nothing if {
	custom_model_cmk.fail == set() with input as {"resources": {"model_service": [object.remove(model, ["key_manager"])]}}
	custom_model_cmk.scope == set() with input as {"resources": {"model_service": [object.remove(model, ["service_type"])]}}
}
