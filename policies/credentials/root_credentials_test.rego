package policies.credentials.root_credentials_test

import data.policies.credentials.root_credentials
import rego.v1

account := {"id": "a", "root_access_keys": false, "root_mfa": true, "root_password": true}

world(changes) := {"resources": {"account": [object.union(account, changes)]}}

blind(changes, facts) := {"resources": {"account": [object.remove(object.union(account, changes), facts)]}}

test_keys_fail if {
	root_credentials.fail == {{
		"id": "a", "fact": "root_access_keys", "expected": false,
		"message": "the root user has access keys",
	}} with input as world({"root_access_keys": true})
	root_credentials.safe == set() with input as world({"root_access_keys": true})
}

test_password_alone_fails if {
	root_credentials.fail == {{
		"id": "a", "fact": "root_mfa", "expected": true,
		"message": "the root user logs in with a password alone, without MFA",
	}} with input as world({"root_mfa": false})
	root_credentials.safe == set() with input as world({"root_mfa": false})
}

test_passes if {
	every change in [{}, {"root_mfa": false, "root_password": false}] {
		root_credentials.safe == {"a"} with input as world(change)
		root_credentials.fail == set() with input as world(change)
	}
}

test_out_of_scope if root_credentials.scope == set() with input as {"resources": {"identity": [account]}}

test_blind_proves_nothing if {
	root_credentials.safe == {"a"} with input as blind({}, ["root_password"])
	root_credentials.safe == set() with input as blind({"root_mfa": false}, ["root_password"])
	root_credentials.fail == set() with input as blind({"root_mfa": false}, ["root_password"])
	root_credentials.safe == set() with input as blind({}, ["root_access_keys"])
	root_credentials.scope == {"a"} with input as blind({}, ["root_mfa", "root_password"])
	root_credentials.fail == set() with input as blind({}, ["root_mfa", "root_password"])
}
