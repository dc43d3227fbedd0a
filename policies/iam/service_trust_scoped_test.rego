package policies.iam.service_trust_scoped_test

import data.policies.iam.service_trust_scoped
import rego.v1

it := {
	"id": "r", "service_linked": false, "trust_services": ["glue", "sagemaker"], "trust_services_unscoped": [],
}

world(changes) := {"resources": {"identity": [object.union(it, changes)]}, "params": {"iam.service_trust_scoped": params}}

blind(changes, facts) := {"resources": {"identity": [object.remove(object.union(it, changes), facts)]}, "params": {"iam.service_trust_scoped": params}}

params := {}

test_fails if {
	service_trust_scoped.fail == {{
		"id": "r", "fact": "trust_services_unscoped", "expected": [],
		"message": "may be taken for any customer of sagemaker: the trust policy names no source",
	}} with input as world({"trust_services_unscoped": ["sagemaker"]})
}

test_passes if {
	service_trust_scoped.fail == set() with input as world({})
	service_trust_scoped.scope == {"r"} with input as world({})
}

test_out_of_scope if {
	every change in [{"service_linked": true}, {"trust_services": []}] {
		service_trust_scoped.scope == set() with input as world(change)
		service_trust_scoped.fail == set() with input as world(object.union(change, {"trust_services_unscoped": ["glue"]}))
	}
}

test_blind_proves_nothing if {
	every fact in ["service_linked", "trust_services", "trust_services_unscoped"] {
		service_trust_scoped.fail == set() with input as blind({"trust_services_unscoped": ["glue"]}, [fact])
	}
}
