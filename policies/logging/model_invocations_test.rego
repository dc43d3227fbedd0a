package policies.logging.model_invocations_test

import data.policies.logging.model_invocations
import rego.v1

region := {"id": "r", "bedrock_in_use": true, "invocations_logged": true, "invocation_text_logged": true}

asked(resource) := {"resources": {"account": [resource]}}

world(changes) := asked(object.union(region, changes))

test_no_log_fails_once if {
	model_invocations.fail == {{
		"id": "r", "fact": "invocations_logged", "expected": true,
		"message": "invocations of models are logged nowhere",
	}} with input as world({"invocations_logged": false, "invocation_text_logged": false})
}

test_no_text_fails if {
	model_invocations.fail == {{
		"id": "r", "fact": "invocation_text_logged", "expected": true,
		"message": "the log of invocations leaves prompts and answers out",
	}} with input as world({"invocation_text_logged": false})
}

test_passes if {
	model_invocations.fail == set() with input as world({})
	model_invocations.scope == {"r"} with input as world({})
}

test_out_of_scope if {
	model_invocations.scope == set() with input as world({"bedrock_in_use": false})
	model_invocations.fail == set() with input as world({"bedrock_in_use": false, "invocations_logged": false})
}

test_blind_proves_nothing if {
	every fact in ["bedrock_in_use", "invocations_logged"] {
		model_invocations.fail == set() with input as asked(object.remove(object.union(region, {"invocation_text_logged": false}), [fact]))
	}
	model_invocations.fail == set() with input as asked(object.remove(region, ["invocation_text_logged"]))
}
