package policies.transit.k8s_api_ciphers_test

import data.policies.transit.k8s_api_ciphers
import rego.v1

base := {"id": "x", "api_server": "here", "tls_min_version": "1.2", "tls_cipher_suites": ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305"]}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_weak_fails if {
	found := {{"id": "x", "fact": "tls_cipher_suites", "expected": "ECDHE with AES-GCM or ChaCha20", "message": "it accepts TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, TLS_RSA_WITH_AES_128_GCM_SHA256", "actual": ["TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "TLS_RSA_WITH_AES_128_GCM_SHA256"]}}
	k8s_api_ciphers.fail == found with input as world({"tls_cipher_suites": ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"]})
	k8s_api_ciphers.scope == {"x"} with input as world({"tls_cipher_suites": ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"]})
}

test_unset_fails if {
	found := {{"id": "x", "fact": "tls_cipher_suites", "expected": "a list, or TLS 1.3", "message": "it accepts whatever its build accepts with TLS 1.2"}}
	k8s_api_ciphers.fail == found with input as world({"tls_cipher_suites": []})
	k8s_api_ciphers.scope == {"x"} with input as world({"tls_cipher_suites": []})
}

test_sound_passes if {
	k8s_api_ciphers.fail == set() with input as world({})
	k8s_api_ciphers.scope == {"x"} with input as world({})
}

test_tls_13_passes if {
	k8s_api_ciphers.fail == set() with input as world({"tls_min_version": "1.3", "tls_cipher_suites": ["TLS_RSA_WITH_RC4_128_SHA"]})
	k8s_api_ciphers.scope == {"x"} with input as world({"tls_min_version": "1.3", "tls_cipher_suites": ["TLS_RSA_WITH_RC4_128_SHA"]})
}

test_tls_13_unset_passes if {
	k8s_api_ciphers.fail == set() with input as world({"tls_min_version": "1.3", "tls_cipher_suites": []})
	k8s_api_ciphers.scope == {"x"} with input as world({"tls_min_version": "1.3", "tls_cipher_suites": []})
}

test_another_part_is_out_of_scope if {
	k8s_api_ciphers.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_api_ciphers.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_api_ciphers.exempt == reasons with input as world({"api_server": "pods"})
	k8s_api_ciphers.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_api_ciphers.exempt == reasons with input as world({"api_server": "provider"})
	k8s_api_ciphers.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"tls_cipher_suites": []})
	blind := {"resources": {"cluster": [object.remove(bad, ["tls_min_version", "tls_cipher_suites"])]}}
	k8s_api_ciphers.fail == set() with input as blind
}
