package policies.transit.job_traffic_encrypted_test

import data.policies.transit.job_traffic_encrypted
import rego.v1

service := {
	"id": "j", "service_type": "training_job", "node_count": 4, "traffic_encrypted": true,
	"instance_types": ["ml.p5.48xlarge"],
}

settings(accepted) := {"transit.job_traffic_encrypted": {"accepted_sizes": accepted}}

world(changes, accepted) := {
	"resources": {"model_service": [object.union(service, changes)]},
	"params": settings(accepted),
}

blind(changes, facts) := {
	"resources": {"model_service": [object.remove(object.union(service, changes), facts)]},
	"params": settings([]),
}

test_fails if {
	every kind in ["training_job", "processing_job", "monitoring"] {
		job_traffic_encrypted.fail == {{
			"id": "j", "fact": "traffic_encrypted", "expected": true,
			"message": "its machines send each other clear text",
		}} with input as world({"traffic_encrypted": false, "service_type": kind}, [])
	}
}

test_sizes_that_encrypt_by_themselves_may_be_accepted if {
	job_traffic_encrypted.fail == set() with input as world({"traffic_encrypted": false}, ["ml.p5"])
	count(job_traffic_encrypted.fail) == 1 with input as world({"traffic_encrypted": false}, ["ml.p4d"])
	mixed := {"traffic_encrypted": false, "instance_types": ["ml.p5.48xlarge", "ml.m5.large"]}
	count(job_traffic_encrypted.fail) == 1 with input as world(mixed, ["ml.p5"])
}

test_passes if {
	job_traffic_encrypted.fail == set() with input as world({}, [])
	job_traffic_encrypted.scope == {"j"} with input as world({}, [])
	job_traffic_encrypted.safe == {"j"} with input as world({}, [])
}

# one machine sends nothing: https://docs.aws.amazon.com/sagemaker/latest/dg/train-encrypt.html
test_out_of_scope if {
	every change in [{"node_count": 1}, {"node_count": 0}, {"service_type": "notebook"}] {
		job_traffic_encrypted.scope == set() with input as world(object.union(change, {"traffic_encrypted": false}), [])
		job_traffic_encrypted.fail == set() with input as world(object.union(change, {"traffic_encrypted": false}), [])
	}
}

test_blind_proves_nothing if {
	job_traffic_encrypted.fail == set() with input as blind({}, ["traffic_encrypted"])
	job_traffic_encrypted.safe == set() with input as blind({}, ["traffic_encrypted"])
	job_traffic_encrypted.fail == set() with input as blind({"traffic_encrypted": false}, ["instance_types"])
	job_traffic_encrypted.scope == set() with input as blind({}, ["node_count"])
	job_traffic_encrypted.safe == {"j"} with input as blind({}, ["instance_types"])
}
