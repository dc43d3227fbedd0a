package policies.iam.k8s_kubelet_authorization_test

import data.policies.iam.k8s_kubelet_authorization
import rego.v1

base := {"id": "x", "serverless": false, "kubelet_authorization": "Webhook"}

world(changes) := {"resources": {"node": [object.union(base, changes)]}}

test_allow_fails if {
	found := {{"id": "x", "fact": "kubelet_authorization", "expected": "Webhook", "message": "its kubelet allows everything (AlwaysAllow)"}}
	k8s_kubelet_authorization.fail == found with input as world({"kubelet_authorization": "AlwaysAllow"})
	k8s_kubelet_authorization.scope == {"x"} with input as world({"kubelet_authorization": "AlwaysAllow"})
}

test_sound_passes if {
	k8s_kubelet_authorization.fail == set() with input as world({})
	k8s_kubelet_authorization.scope == {"x"} with input as world({})
}

test_unseen_scope_is_out_of_scope if {
	k8s_kubelet_authorization.fail == set() with input as world({"serverless": null})
	k8s_kubelet_authorization.scope == set() with input as world({"serverless": null})
}

test_serverless_is_exempt if {
	reasons := {{"id": "x", "reason": "the provider runs the node alone"}}
	k8s_kubelet_authorization.exempt == reasons with input as world({"serverless": true})
	k8s_kubelet_authorization.fail == set() with input as world({"serverless": true})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"kubelet_authorization": "AlwaysAllow"})
	blind := {"resources": {"node": [object.remove(bad, ["kubelet_authorization"])]}}
	k8s_kubelet_authorization.fail == set() with input as blind
}
