package policies.encryption.k8s_volume_key_test

import data.policies.encryption.k8s_volume_key
import rego.v1

volume := {"id": "v", "backend_type": "block", "backing_encrypted": true, "backing_key_manager": "customer"}

world(changes) := {"resources": {"data_store": [object.union(volume, changes)]}}

test_clear_fails if {
	k8s_volume_key.fail == {{"id": "v", "fact": "backing_encrypted", "expected": true, "message": "what stands behind it is not encrypted at rest"}} with input as world({"backing_encrypted": false, "backing_key_manager": "none"})
}

test_key_of_the_provider_fails if {
	k8s_volume_key.fail == {{
		"id": "v", "fact": "backing_key_manager", "expected": "customer", "actual": "provider",
		"message": "what stands behind it is encrypted under a key of the provider",
	}} with input as world({"backing_key_manager": "provider"})
}

test_own_key_passes if {
	k8s_volume_key.fail == set() with input as world({})
	k8s_volume_key.scope == {"v"} with input as world({})
}

test_local_is_out_of_scope if {
	k8s_volume_key.scope == set() with input as world({"backend_type": "local", "backing_encrypted": false})
}

test_blind_proves_nothing if {
	blind := {"resources": {"data_store": [object.remove(volume, ["backing_encrypted", "backing_key_manager"])]}}
	k8s_volume_key.fail == set() with input as blind
}
