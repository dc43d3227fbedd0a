package policies.exposure.agent_runtime_public_test

import data.policies.exposure.agent_runtime_public
import rego.v1

runtime := {"id": "r", "service_type": "agent_runtime", "network_mode": "vpc"}

world(changes) := {"resources": {"model_service": [object.union(runtime, changes)]}}

test_fails if {
	agent_runtime_public.fail == {{
		"id": "r", "fact": "network_mode", "expected": "vpc",
		"message": "the agent runs on the public network",
	}} with input as world({"network_mode": "public"})
}

test_passes if {
	agent_runtime_public.fail == set() with input as world({})
	agent_runtime_public.scope == {"r"} with input as world({})
}

test_out_of_scope if {
	agent_runtime_public.scope == set() with input as world({"service_type": "agent"})
	agent_runtime_public.fail == set() with input as world({"service_type": "agent", "network_mode": "public"})
}

test_blind_proves_nothing if {
	agent_runtime_public.fail == set() with input as {"resources": {"model_service": [object.remove(runtime, ["network_mode"])]}}
}
