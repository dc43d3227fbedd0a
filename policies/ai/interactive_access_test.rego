package policies.ai.interactive_access_test

import data.policies.ai.interactive_access
import rego.v1

service := {"id": "s", "service_type": "training_job", "interactive_access": false}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_remote_debugging_fails if {
	interactive_access.fail == {{
		"id": "s", "fact": "interactive_access", "expected": false,
		"message": "remote debugging opens a shell in its containers",
	}} with input as world({"interactive_access": true})
}

test_a_variant_with_a_shell_fails if {
	interactive_access.fail == {{
		"id": "s", "fact": "interactive_access", "expected": false,
		"message": "Systems Manager opens a shell in the containers of a variant",
	}} with input as world({"interactive_access": true, "service_type": "endpoint_config"})
}

test_passes if {
	interactive_access.fail == set() with input as world({})
	interactive_access.scope == {"s"} with input as world({})
}

test_out_of_scope if {
	interactive_access.scope == set() with input as world({"service_type": "notebook", "interactive_access": true})
	interactive_access.fail == set() with input as world({"service_type": "notebook", "interactive_access": true})
}

test_blind_proves_nothing if {
	interactive_access.fail == set() with input as blind({}, ["interactive_access"])
	interactive_access.fail == set() with input as blind({"interactive_access": true}, ["service_type"])
}
