package policies.encryption.studio_cmk_test

import data.policies.encryption.studio_cmk
import rego.v1

service := {"id": "d", "service_type": "domain", "key_manager": "customer", "output_key_manager": "none"}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_homes_fail if {
	studio_cmk.fail == {{
		"id": "d", "fact": "key_manager", "expected": "customer",
		"message": "no customer-managed key encrypts its home directories and spaces",
	}} with input as world({"key_manager": "provider"})
}

test_sharing_fails if {
	studio_cmk.fail == {{
		"id": "d", "fact": "output_key_manager", "expected": "customer",
		"message": "notebooks are shared with their output, which no customer-managed key encrypts",
	}} with input as world({"output_key_manager": "provider"})
}

test_passes if {
	studio_cmk.fail == set() with input as world({})
	studio_cmk.fail == set() with input as world({"output_key_manager": "customer"})
	studio_cmk.scope == {"d"} with input as world({})
}

test_out_of_scope if {
	studio_cmk.scope == set() with input as world({"service_type": "notebook"})
	studio_cmk.fail == set() with input as world({"service_type": "notebook", "key_manager": "provider"})
}

test_blind_proves_nothing if {
	studio_cmk.fail == set() with input as blind({}, ["key_manager", "output_key_manager"])
}
