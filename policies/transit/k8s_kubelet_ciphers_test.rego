package policies.transit.k8s_kubelet_ciphers_test

import data.policies.transit.k8s_kubelet_ciphers
import rego.v1

base := {"id": "x", "serverless": false, "kubelet_tls_min_version": "1.2", "kubelet_cipher_suites": ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"]}

world(changes) := {"resources": {"node": [object.union(base, changes)]}}

test_weak_fails if {
	found := {{"id": "x", "fact": "kubelet_cipher_suites", "expected": "ECDHE with AES-GCM or ChaCha20", "message": "its kubelet accepts TLS_RSA_WITH_3DES_EDE_CBC_SHA", "actual": ["TLS_RSA_WITH_3DES_EDE_CBC_SHA"]}}
	k8s_kubelet_ciphers.fail == found with input as world({"kubelet_cipher_suites": ["TLS_RSA_WITH_3DES_EDE_CBC_SHA"]})
	k8s_kubelet_ciphers.scope == {"x"} with input as world({"kubelet_cipher_suites": ["TLS_RSA_WITH_3DES_EDE_CBC_SHA"]})
}

test_unset_fails if {
	found := {{"id": "x", "fact": "kubelet_cipher_suites", "expected": "a list, or TLS 1.3", "message": "its kubelet accepts whatever its build accepts with TLS 1.2"}}
	k8s_kubelet_ciphers.fail == found with input as world({"kubelet_cipher_suites": []})
	k8s_kubelet_ciphers.scope == {"x"} with input as world({"kubelet_cipher_suites": []})
}

test_sound_passes if {
	k8s_kubelet_ciphers.fail == set() with input as world({})
	k8s_kubelet_ciphers.scope == {"x"} with input as world({})
}

test_tls_13_passes if {
	k8s_kubelet_ciphers.fail == set() with input as world({"kubelet_tls_min_version": "1.3", "kubelet_cipher_suites": []})
	k8s_kubelet_ciphers.scope == {"x"} with input as world({"kubelet_tls_min_version": "1.3", "kubelet_cipher_suites": []})
}

test_unseen_scope_is_out_of_scope if {
	k8s_kubelet_ciphers.fail == set() with input as world({"serverless": null})
	k8s_kubelet_ciphers.scope == set() with input as world({"serverless": null})
}

test_serverless_is_exempt if {
	reasons := {{"id": "x", "reason": "the provider runs the node alone"}}
	k8s_kubelet_ciphers.exempt == reasons with input as world({"serverless": true})
	k8s_kubelet_ciphers.fail == set() with input as world({"serverless": true})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"kubelet_cipher_suites": []})
	blind := {"resources": {"node": [object.remove(bad, ["kubelet_tls_min_version", "kubelet_cipher_suites"])]}}
	k8s_kubelet_ciphers.fail == set() with input as blind
}
