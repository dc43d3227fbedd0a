package policies.credentials.k8s_kubelet_rotation_test

import data.policies.credentials.k8s_kubelet_rotation
import rego.v1

base := {"id": "x", "serverless": false, "kubelet_client_rotation": true, "kubelet_serving": "issued"}

world(changes) := {"resources": {"node": [object.union(base, changes)]}}

test_client_fails if {
	found := {{"id": "x", "fact": "kubelet_client_rotation", "expected": true, "message": "its kubelet does not renew its client certificate (rotateCertificates)"}}
	k8s_kubelet_rotation.fail == found with input as world({"kubelet_client_rotation": false})
	k8s_kubelet_rotation.scope == {"x"} with input as world({"kubelet_client_rotation": false})
}

test_serving_fails if {
	found := {{"id": "x", "fact": "kubelet_serving", "expected": "issued by the cluster", "message": "its kubelet signs its own serving certificate (serverTLSBootstrap)"}}
	k8s_kubelet_rotation.fail == found with input as world({"kubelet_serving": "self_signed"})
	k8s_kubelet_rotation.scope == {"x"} with input as world({"kubelet_serving": "self_signed"})
}

test_sound_passes if {
	k8s_kubelet_rotation.fail == set() with input as world({})
	k8s_kubelet_rotation.scope == {"x"} with input as world({})
}

test_given_passes if {
	k8s_kubelet_rotation.fail == set() with input as world({"kubelet_serving": "given"})
	k8s_kubelet_rotation.scope == {"x"} with input as world({"kubelet_serving": "given"})
}

test_unseen_scope_is_out_of_scope if {
	k8s_kubelet_rotation.fail == set() with input as world({"serverless": null})
	k8s_kubelet_rotation.scope == set() with input as world({"serverless": null})
}

test_serverless_is_exempt if {
	reasons := {{"id": "x", "reason": "the provider runs the node alone"}}
	k8s_kubelet_rotation.exempt == reasons with input as world({"serverless": true})
	k8s_kubelet_rotation.fail == set() with input as world({"serverless": true})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"kubelet_client_rotation": false, "kubelet_serving": "self_signed"})
	blind := {"resources": {"node": [object.remove(bad, ["kubelet_client_rotation", "kubelet_serving"])]}}
	k8s_kubelet_rotation.fail == set() with input as blind
}
