package policies.network.job_offline_test

import data.policies.network.job_offline
import rego.v1

service := {"id": "j", "service_type": "training_job", "serverless": false, "network_isolation": true}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_fails if {
	every kind in ["training_job", "processing_job", "monitoring"] {
		job_offline.fail == {{
			"id": "j", "fact": "network_isolation", "expected": true,
			"message": "its containers may make network calls",
		}} with input as world({"network_isolation": false, "service_type": kind})
	}
}

test_passes if {
	job_offline.fail == set() with input as world({})
	job_offline.scope == {"j"} with input as world({})
}

test_out_of_scope if {
	every change in [{"serverless": true}, {"service_type": "model"}] {
		job_offline.scope == set() with input as world(object.union(change, {"network_isolation": false}))
		job_offline.fail == set() with input as world(object.union(change, {"network_isolation": false}))
	}
}

test_blind_proves_nothing if {
	job_offline.fail == set() with input as blind({}, ["network_isolation"])
	job_offline.fail == set() with input as blind({"network_isolation": false}, ["serverless"])
}
