package policies.transit.k8s_kubelet_tls_test

import data.policies.transit.k8s_kubelet_tls
import rego.v1

base := {"id": "x", "serverless": false, "kubelet_client_ca": true, "kubelet_tls_min_version": "1.3"}

world(changes) := {"resources": {"node": [object.union(base, changes)]}, "params": {"transit.k8s_kubelet_tls": {"floor": "1.3"}}}

test_no_authority_fails if {
	found := {{"id": "x", "fact": "kubelet_client_ca", "expected": true, "message": "its kubelet has no authority for its clients (clientCAFile)"}}
	k8s_kubelet_tls.fail == found with input as world({"kubelet_client_ca": false})
	k8s_kubelet_tls.scope == {"x"} with input as world({"kubelet_client_ca": false})
}

test_old_fails if {
	found := {{"id": "x", "fact": "kubelet_tls_min_version", "expected": "1.3", "message": "its kubelet accepts TLS 1.2"}}
	k8s_kubelet_tls.fail == found with input as world({"kubelet_tls_min_version": "1.2"})
	k8s_kubelet_tls.scope == {"x"} with input as world({"kubelet_tls_min_version": "1.2"})
}

test_sound_passes if {
	k8s_kubelet_tls.fail == set() with input as world({})
	k8s_kubelet_tls.scope == {"x"} with input as world({})
}

test_unseen_scope_is_out_of_scope if {
	k8s_kubelet_tls.fail == set() with input as world({"serverless": null})
	k8s_kubelet_tls.scope == set() with input as world({"serverless": null})
}

test_serverless_is_exempt if {
	reasons := {{"id": "x", "reason": "the provider runs the node alone"}}
	k8s_kubelet_tls.exempt == reasons with input as world({"serverless": true})
	k8s_kubelet_tls.fail == set() with input as world({"serverless": true})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"kubelet_client_ca": false, "kubelet_tls_min_version": "1.2"})
	blind := {"resources": {"node": [object.remove(bad, ["kubelet_client_ca", "kubelet_tls_min_version"])]}, "params": {"transit.k8s_kubelet_tls": {"floor": "1.3"}}}
	k8s_kubelet_tls.fail == set() with input as blind
}
