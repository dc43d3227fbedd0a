package policies.encryption.job_cmk_test

import data.policies.encryption.job_cmk
import rego.v1

service := {
	"id": "j", "service_type": "training_job", "key_manager": "customer", "local_nvme_only": false,
	"output_key_manager": "customer",
}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_output_fails if {
	job_cmk.fail == {{
		"id": "j", "fact": "output_key_manager", "expected": "customer",
		"message": "what it writes is encrypted by no customer-managed key",
	}} with input as world({"output_key_manager": "provider"})
	job_cmk.safe == set() with input as world({"output_key_manager": "provider"})
}

test_volumes_fail if {
	job_cmk.fail == {{
		"id": "j", "fact": "key_manager", "expected": "customer",
		"message": "no customer-managed key encrypts its volumes",
	}} with input as world({"key_manager": "provider", "service_type": "processing_job"})
}

test_passes if {
	every change in [
		{}, {"service_type": "processing_job", "output_key_manager": "none"},
		{"key_manager": "provider", "local_nvme_only": true},
	] {
		job_cmk.fail == set() with input as world(change)
		job_cmk.scope == {"j"} with input as world(change)
		job_cmk.safe == {"j"} with input as world(change)
	}
}

test_out_of_scope if {
	job_cmk.scope == set() with input as world({"service_type": "notebook"})
	job_cmk.fail == set() with input as world({"service_type": "notebook", "key_manager": "none"})
	job_cmk.safe == set() with input as world({"service_type": "notebook"})
}

test_safe_where_what_is_seen_settles_it if {
	job_cmk.safe == {"j"} with input as blind({}, ["local_nvme_only"])
	job_cmk.safe == {"j"} with input as blind({"local_nvme_only": true}, ["key_manager"])
}

test_blind_proves_nothing if {
	job_cmk.fail == set() with input as blind({"key_manager": "provider"}, ["local_nvme_only"])
	job_cmk.safe == set() with input as blind({"key_manager": "provider"}, ["local_nvme_only"])
	job_cmk.fail == set() with input as blind({}, ["output_key_manager"])
	job_cmk.safe == set() with input as blind({}, ["output_key_manager"])
}
