package policies.encryption.model_service_cmk_test

import data.policies.encryption.model_service_cmk
import rego.v1

service := {
	"id": "e", "service_type": "endpoint_config", "key_manager": "customer", "local_nvme_only": false,
	"capture_enabled": true, "capture_key_manager": "customer", "output_key_manager": "none",
}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_storage_fails if {
	model_service_cmk.fail == {{
		"id": "e", "fact": "key_manager", "expected": "customer",
		"message": "no customer-managed key encrypts its storage",
	}} with input as world({"key_manager": "provider"})
	model_service_cmk.safe == set() with input as world({"key_manager": "provider"})
}

test_recording_fails if {
	model_service_cmk.fail == {{
		"id": "e", "fact": "capture_key_manager", "expected": "customer",
		"message": "requests and answers are recorded without a customer-managed key",
	}} with input as world({"capture_key_manager": "provider"})
	model_service_cmk.safe == set() with input as world({"capture_key_manager": "provider"})
}

test_asynchronous_answers_fail if {
	model_service_cmk.fail == {{
		"id": "e", "fact": "output_key_manager", "expected": "customer",
		"message": "asynchronous answers are stored without a customer-managed key",
	}} with input as world({"output_key_manager": "provider"})
	model_service_cmk.safe == set() with input as blind({}, ["output_key_manager"])
	model_service_cmk.safe == {"e"} with input as world({"output_key_manager": "customer"})
}

test_passes if {
	every change in [
		{}, {"service_type": "notebook"}, {"capture_enabled": false, "capture_key_manager": "none"},
		{"key_manager": "provider", "local_nvme_only": true},
	] {
		model_service_cmk.fail == set() with input as world(change)
		model_service_cmk.scope == {"e"} with input as world(change)
	}
}

test_out_of_scope if {
	model_service_cmk.scope == set() with input as world({"service_type": "ray"})
	model_service_cmk.fail == set() with input as world({"service_type": "ray", "key_manager": "none"})
	model_service_cmk.safe == set() with input as world({"service_type": "ray"})
}

test_safe_where_what_is_seen_settles_it if {
	model_service_cmk.safe == {"e"} with input as blind({}, ["local_nvme_only"])
	model_service_cmk.safe == {"e"} with input as blind({"local_nvme_only": true, "capture_enabled": false}, ["key_manager", "capture_key_manager"])
}

test_blind_proves_nothing if {
	model_service_cmk.fail == set() with input as blind({"key_manager": "provider"}, ["local_nvme_only"])
	model_service_cmk.safe == set() with input as blind({"key_manager": "provider"}, ["local_nvme_only"])
	model_service_cmk.safe == set() with input as blind({}, ["key_manager", "capture_key_manager"])
	model_service_cmk.fail == set() with input as blind({"capture_key_manager": "provider"}, ["capture_enabled"])
}
