package policies.encryption.template_volumes_test

import data.policies.encryption.template_volumes
import rego.v1

volume(manager) := {"device": "/dev/xvda", "key_manager": manager}

world(facts) := {"resources": {"node": [object.union({"id": "t"}, facts)]}}

test_fails if {
	template_volumes.fail == {{
		"id": "t", "fact": "volume_keys", "expected": "customer", "tag": "/dev/xvda",
		"actual": [volume("none")], "message": "nothing encrypts the volume /dev/xvda",
	}} with input as world({"volume_keys": [volume("none")]})
	template_volumes.fail == {{
		"id": "t", "fact": "volume_keys", "expected": "customer", "tag": "/dev/xvda",
		"actual": [volume("provider")], "message": "no customer-managed key encrypts the volume /dev/xvda",
	}} with input as world({"volume_keys": [volume("provider")]})
}

test_passes if {
	every volumes in [[], [volume("customer")]] {
		template_volumes.scope == {"t"} with input as world({"volume_keys": volumes})
		template_volumes.fail == set() with input as world({"volume_keys": volumes})
	}
}

test_out_of_scope if {
	template_volumes.scope == set() with input as {"resources": {"node": []}}
}

test_blind_proves_nothing if {
	template_volumes.fail == set() with input as world({})
}
