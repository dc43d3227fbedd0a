package policies.iam.k8s_kubelet_anonymous_test

import data.policies.iam.k8s_kubelet_anonymous
import rego.v1

base := {"id": "x", "serverless": false, "kubelet_anonymous": false}

world(changes) := {"resources": {"node": [object.union(base, changes)]}}

test_anonymous_fails if {
	found := {{"id": "x", "fact": "kubelet_anonymous", "expected": false, "message": "its kubelet lets in requests without credentials"}}
	k8s_kubelet_anonymous.fail == found with input as world({"kubelet_anonymous": true})
	k8s_kubelet_anonymous.scope == {"x"} with input as world({"kubelet_anonymous": true})
}

test_sound_passes if {
	k8s_kubelet_anonymous.fail == set() with input as world({})
	k8s_kubelet_anonymous.scope == {"x"} with input as world({})
}

test_unseen_scope_is_out_of_scope if {
	k8s_kubelet_anonymous.fail == set() with input as world({"serverless": null})
	k8s_kubelet_anonymous.scope == set() with input as world({"serverless": null})
}

test_serverless_is_exempt if {
	reasons := {{"id": "x", "reason": "the provider runs the node alone"}}
	k8s_kubelet_anonymous.exempt == reasons with input as world({"serverless": true})
	k8s_kubelet_anonymous.fail == set() with input as world({"serverless": true})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"kubelet_anonymous": true})
	blind := {"resources": {"node": [object.remove(bad, ["kubelet_anonymous"])]}}
	k8s_kubelet_anonymous.fail == set() with input as blind
}
