package policies.iam.resource_policy_service_scoped_test

import data.policies.iam.resource_policy_service_scoped
import rego.v1

it := {"id": "s", "policy_statements": [{"effect": "Allow"}], "services_unscoped": []}

world(changes) := {"resources": {"data_store": [object.union(it, changes)]}, "params": {"iam.resource_policy_service_scoped": params}}

blind(changes, facts) := {"resources": {"data_store": [object.remove(object.union(it, changes), facts)]}, "params": {"iam.resource_policy_service_scoped": params}}

params := {}

test_fails if {
	resource_policy_service_scoped.fail == {{
		"id": "s", "fact": "services_unscoped", "expected": [],
		"message": "its policy lets in cloudtrail, sns for any customer of theirs: it names no source",
	}} with input as world({"services_unscoped": ["sns", "cloudtrail"]})
}

test_passes if {
	resource_policy_service_scoped.fail == set() with input as world({})
	resource_policy_service_scoped.scope == {"s"} with input as world({})
}

test_out_of_scope if {
	resource_policy_service_scoped.scope == set() with input as world({"policy_statements": []})
	resource_policy_service_scoped.fail == set() with input as world({"policy_statements": [], "services_unscoped": ["sns"]})
}

test_blind_proves_nothing if {
	every fact in ["policy_statements", "services_unscoped"] {
		resource_policy_service_scoped.fail == set() with input as blind({"services_unscoped": ["sns"]}, [fact])
	}
}
