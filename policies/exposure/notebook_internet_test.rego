package policies.exposure.notebook_internet_test

import data.policies.exposure.notebook_internet
import rego.v1

service := {"id": "n", "service_type": "notebook", "direct_internet": false, "root_access": false, "metadata_token_required": true}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(facts) := {"resources": {"model_service": [object.remove(service, facts)]}}

test_fails if {
	notebook_internet.fail == {
		{"id": "n", "fact": "direct_internet", "expected": false, "message": "reaches the internet outside the customer's network"},
		{"id": "n", "fact": "root_access", "expected": false, "message": "its users are root"},
		{
			"id": "n", "fact": "metadata_token_required", "expected": true,
			"message": "its metadata service answers without a session token (IMDSv1)",
		},
	} with input as world({"direct_internet": true, "root_access": true, "metadata_token_required": false})
}

test_passes if {
	notebook_internet.scope == {"n"} with input as world({})
	notebook_internet.fail == set() with input as world({})
}

test_out_of_scope if {
	notebook_internet.scope == set() with input as world({"service_type": "endpoint"})
	notebook_internet.fail == set() with input as world({"service_type": "endpoint", "direct_internet": true})
}

test_blind_proves_nothing if {
	notebook_internet.scope == {"n"} with input as blind(["direct_internet", "root_access", "metadata_token_required"])
	notebook_internet.fail == set() with input as blind(["direct_internet", "root_access", "metadata_token_required"])
	notebook_internet.scope == set() with input as blind(["service_type"])
}
