package policies.integrity.guardrail_enforced_test

import data.policies.integrity.guardrail_enforced
import rego.v1

agent := {"id": "a", "service_type": "agent", "guardrail_id": "g", "prompt_attack_filter": "high", "personal_data_filter": "enforce"}

asked(resource) := {
	"resources": {"model_service": [resource]},
	"params": {"integrity.guardrail_enforced": {"strengths": ["high"]}},
}

world(changes) := asked(object.union(agent, changes))

prompts(message) := {{"id": "a", "fact": "prompt_attack_filter", "tag": "prompts", "expected": "high", "message": message}}

test_no_guardrail_fails_once if {
	guardrail_enforced.fail == {{"id": "a", "fact": "guardrail_id", "expected": "a guardrail", "message": "the agent has no guardrail"}} with input as world({"guardrail_id": "", "prompt_attack_filter": "none", "personal_data_filter": "none"})
}

test_weak_filter_fails if {
	guardrail_enforced.fail == prompts("nothing looks for attacks in prompts") with input as world({"prompt_attack_filter": "none"})
	guardrail_enforced.fail == prompts("attacks in prompts are reported, not blocked") with input as world({"prompt_attack_filter": "detect"})
	guardrail_enforced.fail == prompts("attacks in prompts are blocked at medium strength only") with input as world({"prompt_attack_filter": "medium", "service_type": "guardrail"})
}

test_personal_data_fails if {
	guardrail_enforced.fail == {{
		"id": "a", "fact": "personal_data_filter", "tag": "personal data", "expected": "enforce",
		"message": "personal data are reported, neither blocked nor masked",
	}} with input as world({"personal_data_filter": "detect"})
}

test_passes if {
	guardrail_enforced.fail == set() with input as world({})
	guardrail_enforced.scope == {"a"} with input as world({})
	guardrail_enforced.fail == set() with input as object.union(world({"prompt_attack_filter": "low"}), {"params": {"integrity.guardrail_enforced": {"strengths": ["low", "high"]}}})
}

test_out_of_scope if {
	guardrail_enforced.scope == set() with input as world({"service_type": "data_source"})
	guardrail_enforced.fail == set() with input as world({"service_type": "data_source", "guardrail_id": ""})
}

test_blind_proves_nothing if {
	every fact in ["guardrail_id", "prompt_attack_filter", "personal_data_filter", "service_type"] {
		guardrail_enforced.fail == set() with input as asked(object.remove(agent, [fact]))
	}
	guardrail_enforced.fail == set() with input as asked(object.remove(object.union(agent, {"prompt_attack_filter": "none"}), ["guardrail_id"]))
}
