package policies.workload.default_namespace_test

import data.policies.workload.default_namespace
import rego.v1

workload := {"id": "w", "namespace": "default", "namespace_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_default_fails if {
	default_namespace.fail == {{"id": "w", "fact": "namespace", "expected": "a namespace of its tenant", "actual": "default", "message": "it lives in the namespace default"}} with input as world({})
}

test_another_passes if {
	default_namespace.fail == set() with input as world({"namespace": "team"})
	default_namespace.scope == {"w"} with input as world({"namespace": "team"})
}

test_no_namespace_is_out_of_scope if {
	default_namespace.scope == set() with input as world({"namespace": ""})
	default_namespace.fail == set() with input as world({"namespace": ""})
}

test_blind_proves_nothing if {
	every fact in ["namespace", "namespace_settled"] {
		default_namespace.fail == set() with input as {"resources": {"workload": [object.remove(workload, [fact])]}}
	}
}
