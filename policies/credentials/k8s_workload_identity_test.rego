package policies.credentials.k8s_workload_identity_test

import data.policies.credentials.k8s_workload_identity
import rego.v1

workload := {"id": "w", "cloud_uses": [{"container": "main", "cloud": "aws", "how": "s3://"}], "without_identity": [], "identity_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_without_fails if {
	k8s_workload_identity.fail == {{"id": "w", "fact": "without_identity", "expected": "none", "actual": {"cloud": "aws", "why": "no reason"}, "tag": "aws", "message": "uses AWS without an identity of its own: no reason"}, {"id": "w", "fact": "without_identity", "expected": "none", "actual": {"cloud": "azure", "why": "another"}, "tag": "azure", "message": "uses Azure without an identity of its own: another"}} with input as world({"without_identity": [{"cloud": "aws", "why": "no reason"}, {"cloud": "azure", "why": "another"}]})
	k8s_workload_identity.scope == {"w"} with input as world({"without_identity": [{"cloud": "aws", "why": "no reason"}, {"cloud": "azure", "why": "another"}]})
}

test_bound_passes if {
	k8s_workload_identity.fail == set() with input as world({})
	k8s_workload_identity.scope == {"w"} with input as world({})
}

test_no_cloud_is_out_of_scope if {
	k8s_workload_identity.fail == set() with input as world({"cloud_uses": [], "without_identity": [{"cloud": "aws", "why": "no reason"}]})
	k8s_workload_identity.scope == set() with input as world({"cloud_uses": [], "without_identity": [{"cloud": "aws", "why": "no reason"}]})
}

test_other_kinds_are_out_of_scope if {
	k8s_workload_identity.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_workload_identity.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	k8s_workload_identity.fail == set() with input as {"resources": {"workload": [{"id": "w", "without_identity": [{"cloud": "aws", "why": "no reason"}], "identity_settled": true}]}}
	k8s_workload_identity.fail == set() with input as {"resources": {"workload": [{"id": "w", "cloud_uses": [{"container": "main", "cloud": "aws", "how": "s3://"}], "identity_settled": true}]}}
}
