package policies.ai.inference_authorised_test

import data.policies.ai.inference_authorised
import rego.v1

model_service := {"id": "m", "service_type": "inference_service", "public": true, "callers_known": true, "url_scheme": "https"}

world(changes) := {"resources": {"model_service": [object.union(model_service, changes)]}}

test_open_fails if {
	inference_authorised.fail == {
		{"id": "m", "fact": "callers_known", "expected": true, "tag": "callers", "message": "it is seen from outside the cluster, and nobody asks who calls"},
	} with input as world({"callers_known": false})
}

test_http_fails if {
	inference_authorised.fail == {
		{"id": "m", "fact": "url_scheme", "expected": "https", "tag": "scheme", "message": "its address outside the cluster is http"},
	} with input as world({"url_scheme": "http"})
}

test_authorised_passes if {
	inference_authorised.fail == set() with input as world({})
	inference_authorised.scope == {"m"} with input as world({})
	inference_authorised.fail == set() with input as world({"url_scheme": ""})
}

test_out_of_scope if {
	every change in [{"public": false}, {"service_type": "ray"}] {
		inference_authorised.scope == set() with input as world(object.union(change, {"callers_known": false}))
		inference_authorised.fail == set() with input as world(object.union(change, {"callers_known": false}))
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"model_service": [object.remove(model_service, ["callers_known", "url_scheme"])]}}
	inference_authorised.fail == set() with input as blind
}
