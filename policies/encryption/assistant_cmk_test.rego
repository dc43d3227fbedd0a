package policies.encryption.assistant_cmk_test

import data.policies.encryption.assistant_cmk
import rego.v1

agent := {"id": "a", "service_type": "agent", "key_manager": "customer"}

world(changes) := {"resources": {"model_service": [object.union(agent, changes)]}}

failure(message) := {{"id": "a", "fact": "key_manager", "expected": "customer", "message": message}}

test_fails if {
	end := "with a key of the provider's own, not a customer-managed one"
	agents := sprintf("its instructions and sessions are encrypted %s", [end])
	sources := sprintf("documents on their way in are encrypted %s", [end])
	rails := sprintf("what it filters is encrypted %s", [end])
	assistant_cmk.fail == failure(agents) with input as world({"key_manager": "provider"})
	assistant_cmk.fail == failure(sources) with input as world({"key_manager": "provider", "service_type": "data_source"})
	assistant_cmk.fail == failure(rails) with input as world({"key_manager": "none", "service_type": "guardrail"})
}

test_passes if {
	assistant_cmk.fail == set() with input as world({})
	assistant_cmk.scope == {"a"} with input as world({})
}

test_out_of_scope if {
	assistant_cmk.scope == set() with input as world({"service_type": "custom_model"})
	assistant_cmk.fail == set() with input as world({"service_type": "custom_model", "key_manager": "provider"})
}

test_blind_proves_nothing if {
	assistant_cmk.fail == set() with input as {"resources": {"model_service": [object.remove(agent, ["key_manager"])]}}
	assistant_cmk.scope == set() with input as {"resources": {"model_service": [object.remove(agent, ["service_type"])]}}
}
