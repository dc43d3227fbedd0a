package policies.encryption.k8s_secrets_kms_test

import data.policies.encryption.k8s_secrets_kms
import rego.v1

base := {"id": "x", "api_server": "here", "secrets_provider": "kms_v2"}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_none_fails if {
	found := {{"id": "x", "fact": "secrets_provider", "expected": "kms_v2", "message": "Secrets lie in etcd in clear: no encryption is configured"}}
	k8s_secrets_kms.fail == found with input as world({"secrets_provider": "none"})
	k8s_secrets_kms.scope == {"x"} with input as world({"secrets_provider": "none"})
}

test_identity_fails if {
	found := {{"id": "x", "fact": "secrets_provider", "expected": "kms_v2", "message": "Secrets lie in etcd in clear: identity writes them"}}
	k8s_secrets_kms.fail == found with input as world({"secrets_provider": "identity"})
	k8s_secrets_kms.scope == {"x"} with input as world({"secrets_provider": "identity"})
}

test_kms_v1_fails if {
	found := {{"id": "x", "fact": "secrets_provider", "expected": "kms_v2", "message": "KMS v1 is deprecated and off by default"}}
	k8s_secrets_kms.fail == found with input as world({"secrets_provider": "kms_v1"})
	k8s_secrets_kms.scope == {"x"} with input as world({"secrets_provider": "kms_v1"})
}

test_aescbc_fails if {
	found := {{"id": "x", "fact": "secrets_provider", "expected": "kms_v2", "message": "the key lies on the disk beside them (aescbc)"}}
	k8s_secrets_kms.fail == found with input as world({"secrets_provider": "aescbc"})
	k8s_secrets_kms.scope == {"x"} with input as world({"secrets_provider": "aescbc"})
}

test_aesgcm_fails if {
	found := {{"id": "x", "fact": "secrets_provider", "expected": "kms_v2", "message": "the key lies on the disk beside them (aesgcm)"}}
	k8s_secrets_kms.fail == found with input as world({"secrets_provider": "aesgcm"})
	k8s_secrets_kms.scope == {"x"} with input as world({"secrets_provider": "aesgcm"})
}

test_secretbox_fails if {
	found := {{"id": "x", "fact": "secrets_provider", "expected": "kms_v2", "message": "the key lies on the disk beside them (secretbox)"}}
	k8s_secrets_kms.fail == found with input as world({"secrets_provider": "secretbox"})
	k8s_secrets_kms.scope == {"x"} with input as world({"secrets_provider": "secretbox"})
}

test_sound_passes if {
	k8s_secrets_kms.fail == set() with input as world({})
	k8s_secrets_kms.scope == {"x"} with input as world({})
}

test_another_part_is_out_of_scope if {
	k8s_secrets_kms.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_secrets_kms.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_secrets_kms.exempt == reasons with input as world({"api_server": "pods"})
	k8s_secrets_kms.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_secrets_kms.exempt == reasons with input as world({"api_server": "provider"})
	k8s_secrets_kms.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"secrets_provider": "secretbox"})
	blind := {"resources": {"cluster": [object.remove(bad, ["secrets_provider"])]}}
	k8s_secrets_kms.fail == set() with input as blind
}
