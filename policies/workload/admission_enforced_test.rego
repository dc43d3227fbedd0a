package policies.workload.admission_enforced_test

import data.policies.workload.admission_enforced
import rego.v1

cluster := {"id": "c", "native_type": "kubernetes/v1/Cluster", "policies_enforced": true}

world(changes) := {"resources": {"cluster": [object.union(cluster, changes)]}}

test_none_fails if {
	admission_enforced.fail == {
		{"id": "c", "fact": "policies_enforced", "expected": true, "message": "no admission policy about pods is enforced"},
	} with input as world({"policies_enforced": false})
}

test_enforced_passes if {
	admission_enforced.fail == set() with input as world({})
	admission_enforced.scope == {"c"} with input as world({})
}

test_out_of_scope if {
	admission_enforced.scope == set() with input as world({"native_type": "AWS::EKS::Cluster", "policies_enforced": false})
	admission_enforced.fail == set() with input as world({"native_type": "AWS::EKS::Cluster", "policies_enforced": false})
}

test_blind_proves_nothing if {
	blind := {"resources": {"cluster": [object.remove(cluster, ["policies_enforced"])]}}
	admission_enforced.fail == set() with input as blind
}
