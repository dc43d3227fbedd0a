package policies.transit.fabric_encrypted_test

import data.policies.transit.fabric_encrypted
import rego.v1

world(changes) := {"resources": {"node": [object.union({"id": "n", "accelerator": true, "efa": true, "fabric_encrypted": true}, changes)]}}

test_fails if {
	fabric_encrypted.fail == {{
		"id": "n", "fact": "fabric_encrypted", "expected": true,
		"message": "its size does not encrypt traffic between machines",
	}} with input as world({"fabric_encrypted": false})
}

test_passes if {
	fabric_encrypted.scope == {"n"} with input as world({})
	fabric_encrypted.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"accelerator": false}, {"efa": false}] {
		fabric_encrypted.scope == set() with input as world(object.union(change, {"fabric_encrypted": false}))
		fabric_encrypted.fail == set() with input as world(object.union(change, {"fabric_encrypted": false}))
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"node": [{"id": "n", "accelerator": true, "efa": true}, {"id": "m", "fabric_encrypted": false}]}}
	fabric_encrypted.scope == {"n"} with input as blind
	fabric_encrypted.fail == set() with input as blind
}
