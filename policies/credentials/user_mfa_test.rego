package policies.credentials.user_mfa_test

import data.policies.credentials.user_mfa
import rego.v1

identity := {"id": "u", "identity_type": "user", "console_password": true, "mfa": true}

world(changes) := {"resources": {"identity": [object.union(identity, changes)]}}

blind(facts) := {"resources": {"identity": [object.remove(identity, facts)]}}

test_fails if {
	user_mfa.fail == {{
		"id": "u", "fact": "mfa", "expected": true,
		"message": "logs in with a password alone, without MFA",
	}} with input as world({"mfa": false})
}

test_passes if {
	user_mfa.scope == {"u"} with input as world({})
	user_mfa.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"console_password": false}, {"identity_type": "role"}] {
		user_mfa.scope == set() with input as world(change)
		user_mfa.fail == set() with input as world(object.union(change, {"mfa": false}))
	}
}

test_blind_proves_nothing if {
	user_mfa.scope == {"u"} with input as blind(["mfa"])
	user_mfa.fail == set() with input as blind(["mfa"])
	user_mfa.scope == set() with input as blind(["console_password"])
}
