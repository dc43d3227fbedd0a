package policies.credentials.k8s_long_lived_token_test

import data.policies.credentials.k8s_long_lived_token
import rego.v1

credential := {"id": "c", "credential_type": "service_account_token", "namespace": "team", "expires": "2026-01-01T00:00:00Z", "active": true}

world(changes) := {"resources": {"credential": [object.union(credential, changes)]}}

test_everlasting_fails if {
	k8s_long_lived_token.fail == {
		{"id": "c", "fact": "expires", "expected": "a bound token", "message": "its token never expires"},
	} with input as world({"expires": "never"})
}

test_sound_passes if {
	k8s_long_lived_token.fail == set() with input as world({})
	k8s_long_lived_token.scope == {"c"} with input as world({})
}

test_invalidated_passes if {
	k8s_long_lived_token.fail == set() with input as world({"expires": "never", "active": false})
	k8s_long_lived_token.scope == {"c"} with input as world({"expires": "never", "active": false})
}

test_out_of_scope if {
	every change in [{"credential_type": "access_key", "expires": "never"}, {"namespace": "kube-system", "expires": "never"}] {
		k8s_long_lived_token.scope == set() with input as world(change)
		k8s_long_lived_token.fail == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"credential": [object.remove(credential, ["expires", "active"])]}}
	k8s_long_lived_token.fail == set() with input as blind
}
