package policies.integrity.k8s_images_signed_test

import data.policies.integrity.k8s_images_signed
import rego.v1

cluster := {"id": "c", "native_type": "kubernetes/v1/Cluster", "signatures_enforced": true}

world(changes) := {"resources": {"cluster": [object.union(cluster, changes)]}}

test_none_fails if {
	k8s_images_signed.fail == {
		{"id": "c", "fact": "signatures_enforced", "expected": true, "message": "nothing asks who built an image"},
	} with input as world({"signatures_enforced": false})
}

test_enforced_passes if {
	k8s_images_signed.fail == set() with input as world({})
	k8s_images_signed.scope == {"c"} with input as world({})
}

test_out_of_scope if {
	k8s_images_signed.scope == set() with input as world({"native_type": "AWS::EKS::Cluster", "signatures_enforced": false})
	k8s_images_signed.fail == set() with input as world({"native_type": "AWS::EKS::Cluster", "signatures_enforced": false})
}

test_blind_proves_nothing if {
	blind := {"resources": {"cluster": [object.remove(cluster, ["signatures_enforced"])]}}
	k8s_images_signed.fail == set() with input as blind
}
