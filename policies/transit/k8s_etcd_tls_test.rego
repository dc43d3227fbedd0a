package policies.transit.k8s_etcd_tls_test

import data.policies.transit.k8s_etcd_tls
import rego.v1

base := {"id": "x", "etcd": "here", "etcd_clear": [], "etcd_client_certificates": true, "etcd_peer_certificates": true, "etcd_self_signed": false, "etcd_files_missing": []}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_clear_fails if {
	found := {{"id": "x", "fact": "etcd_clear", "expected": "https://", "message": "it listens in clear on http://10.0.0.4:2379"}}
	k8s_etcd_tls.fail == found with input as world({"etcd_clear": ["http://10.0.0.4:2379"]})
	k8s_etcd_tls.scope == {"x"} with input as world({"etcd_clear": ["http://10.0.0.4:2379"]})
}

test_no_client_certificates_fails if {
	found := {{"id": "x", "fact": "etcd_client_certificates", "expected": true, "message": "clients need no certificate (--client-cert-auth)"}}
	k8s_etcd_tls.fail == found with input as world({"etcd_client_certificates": false})
	k8s_etcd_tls.scope == {"x"} with input as world({"etcd_client_certificates": false})
}

test_no_peer_certificates_fails if {
	found := {{"id": "x", "fact": "etcd_peer_certificates", "expected": true, "message": "other members need no certificate (--peer-client-cert-auth)"}}
	k8s_etcd_tls.fail == found with input as world({"etcd_peer_certificates": false})
	k8s_etcd_tls.scope == {"x"} with input as world({"etcd_peer_certificates": false})
}

test_self_signed_fails if {
	found := {{"id": "x", "fact": "etcd_self_signed", "expected": false, "message": "it makes its own certificates (--auto-tls)"}}
	k8s_etcd_tls.fail == found with input as world({"etcd_self_signed": true})
	k8s_etcd_tls.scope == {"x"} with input as world({"etcd_self_signed": true})
}

test_no_files_fails if {
	found := {{"id": "x", "fact": "etcd_files_missing", "expected": [], "message": "not set: --cert-file, --key-file"}}
	k8s_etcd_tls.fail == found with input as world({"etcd_files_missing": ["cert-file", "key-file"]})
	k8s_etcd_tls.scope == {"x"} with input as world({"etcd_files_missing": ["cert-file", "key-file"]})
}

test_sound_passes if {
	k8s_etcd_tls.fail == set() with input as world({})
	k8s_etcd_tls.scope == {"x"} with input as world({})
}

test_another_part_is_out_of_scope if {
	k8s_etcd_tls.fail == set() with input as world({"etcd": "elsewhere"})
	k8s_etcd_tls.scope == set() with input as world({"etcd": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_etcd_tls.exempt == reasons with input as world({"etcd": "pods"})
	k8s_etcd_tls.fail == set() with input as world({"etcd": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_etcd_tls.exempt == reasons with input as world({"etcd": "provider"})
	k8s_etcd_tls.fail == set() with input as world({"etcd": "provider"})
}

test_external_is_exempt if {
	reasons := {{"id": "x", "reason": "etcd runs on other machines: judge it there"}}
	k8s_etcd_tls.exempt == reasons with input as world({"etcd": "external"})
	k8s_etcd_tls.fail == set() with input as world({"etcd": "external"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"etcd_clear": ["http://10.0.0.4:2379"], "etcd_client_certificates": false, "etcd_peer_certificates": false, "etcd_self_signed": true, "etcd_files_missing": ["cert-file", "key-file"]})
	blind := {"resources": {"cluster": [object.remove(bad, ["etcd_clear", "etcd_client_certificates", "etcd_peer_certificates", "etcd_self_signed", "etcd_files_missing"])]}}
	k8s_etcd_tls.fail == set() with input as blind
}
