package policies.encryption.log_group_cmk_test

import data.policies.encryption.log_group_cmk
import rego.v1

store := {
	"id": "g", "store_type": "log_group", "log_group_name": "/aws/sagemaker/TrainingJobs", "invocation_log": false,
	"key_manager": "customer",
}

params := {"encryption.log_group_cmk": {"names": ["/aws/sagemaker/**", "/aws/bedrock*", "/aws/bedrock*/**"]}}

world(changes) := {"params": params, "resources": {"data_store": [object.union(store, changes)]}}

blind(changes, facts) := {"params": params, "resources": {"data_store": [object.remove(object.union(store, changes), facts)]}}

finding := {
	"id": "g", "fact": "key_manager", "expected": "customer",
	"message": "no customer-managed key encrypts its records",
}

test_fails if {
	every change in [
		{}, {"log_group_name": "/aws/bedrock/invocations"}, {"log_group_name": "/aws/bedrock-agentcore/runtimes/chat"}, {"log_group_name": "/aws/bedrock"},
		{"log_group_name": "prompts", "invocation_log": true},
	] {
		log_group_cmk.fail == {finding} with input as world(object.union(change, {"key_manager": "provider"}))
	}
}

test_passes if {
	log_group_cmk.scope == {"g"} with input as world({})
	log_group_cmk.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"log_group_name": "/vpc/flow"}, {"log_group_name": "/aws/lambda/aws/bedrock"}, {"store_type": "bucket", "invocation_log": true}] {
		log_group_cmk.scope == set() with input as world(change)
		log_group_cmk.fail == set() with input as world(object.union(change, {"key_manager": "provider"}))
	}
}

test_a_name_settles_it_where_invocation_logging_is_blind if {
	log_group_cmk.scope == {"g"} with input as blind({}, ["invocation_log"])
}

test_blind_proves_nothing if {
	log_group_cmk.scope == set() with input as blind({"log_group_name": "prompts", "invocation_log": true}, ["invocation_log"])
	log_group_cmk.fail == set() with input as blind({"key_manager": "provider"}, ["key_manager"])
	log_group_cmk.fail == set() with input as blind({"key_manager": "provider"}, ["store_type"])
	log_group_cmk.scope == set() with input as blind({}, ["log_group_name"])
}
