package policies.credentials.user_access_keys_test

import data.policies.credentials.user_access_keys
import rego.v1

credential := {"id": "k", "credential_type": "access_key", "active": false}

world(changes) := {"resources": {"credential": [object.union(credential, changes)]}}

blind(facts) := {"resources": {"credential": [object.remove(credential, facts)]}}

test_fails if {
	user_access_keys.fail == {{
		"id": "k", "fact": "active", "expected": false,
		"message": "a long-lived access key is active",
	}} with input as world({"active": true})
}

test_passes if {
	user_access_keys.scope == {"k"} with input as world({})
	user_access_keys.fail == set() with input as world({})
}

test_out_of_scope if {
	user_access_keys.scope == set() with input as world({"credential_type": "service_account_token"})
	user_access_keys.fail == set() with input as world({"credential_type": "service_account_token", "active": true})
}

test_blind_proves_nothing if {
	user_access_keys.scope == {"k"} with input as blind(["active"])
	user_access_keys.fail == set() with input as blind(["active"])
	user_access_keys.scope == set() with input as blind(["credential_type"])
}
