package policies.credentials.bedrock_api_keys_test

import data.policies.credentials.bedrock_api_keys
import rego.v1

key := {"id": "k", "credential_type": "service_specific", "service": "bedrock.amazonaws.com", "active": true, "valid_days": 7}

world(changes) := {"params": {"credentials.bedrock_api_keys": {"max_days": 30}}, "resources": {"credential": [object.union(key, changes)]}}

blind(facts) := {"params": {"credentials.bedrock_api_keys": {"max_days": 30}}, "resources": {"credential": [object.remove(key, facts)]}}

failure(message) := {{"id": "k", "fact": "valid_days", "expected": "at most 30 days", "message": message}}

# https://github.com/prowler-cloud/prowler/pull/12663
test_fails_a_key_without_end if {
	bedrock_api_keys.fail == failure("a Bedrock API key works, and never ends") with input as world({"valid_days": 0})
}

test_fails_a_long_one if {
	bedrock_api_keys.fail == failure("a Bedrock API key works, and was made for 31 days") with input as world({"valid_days": 31})
}

test_passes if {
	every days in [1, 7, 30] {
		bedrock_api_keys.scope == {"k"} with input as world({"valid_days": days})
		bedrock_api_keys.fail == set() with input as world({"valid_days": days})
	}
	bedrock_api_keys.safe == {"k"} with input as world({"active": false, "valid_days": 0})
	bedrock_api_keys.fail == set() with input as world({"active": false, "valid_days": 0})
	bedrock_api_keys.safe == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"service": "codecommit.amazonaws.com"}, {"credential_type": "access_key"}] {
		bedrock_api_keys.scope == set() with input as world(change)
		bedrock_api_keys.fail == set() with input as world(object.union(change, {"valid_days": 0}))
	}
}

test_blind_proves_nothing if {
	every fact in ["active", "valid_days"] {
		bedrock_api_keys.scope == {"k"} with input as blind([fact])
		bedrock_api_keys.fail == set() with input as blind([fact])
	}
	every fact in ["credential_type", "service"] {
		bedrock_api_keys.scope == set() with input as blind([fact])
		bedrock_api_keys.safe == set() with input as blind([fact])
	}
}
