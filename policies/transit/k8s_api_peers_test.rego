package policies.transit.k8s_api_peers_test

import data.policies.transit.k8s_api_peers
import rego.v1

base := {"id": "x", "api_server": "here", "peer_flags_missing": []}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_kubeadm_fails if {
	found := {{"id": "x", "fact": "peer_flags_missing", "expected": [], "message": "not set: --kubelet-certificate-authority"}}
	k8s_api_peers.fail == found with input as world({"peer_flags_missing": ["kubelet-certificate-authority"]})
	k8s_api_peers.scope == {"x"} with input as world({"peer_flags_missing": ["kubelet-certificate-authority"]})
}

test_sound_passes if {
	k8s_api_peers.fail == set() with input as world({})
	k8s_api_peers.scope == {"x"} with input as world({})
}

test_another_part_is_out_of_scope if {
	k8s_api_peers.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_api_peers.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_api_peers.exempt == reasons with input as world({"api_server": "pods"})
	k8s_api_peers.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_api_peers.exempt == reasons with input as world({"api_server": "provider"})
	k8s_api_peers.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"peer_flags_missing": ["kubelet-certificate-authority"]})
	blind := {"resources": {"cluster": [object.remove(bad, ["peer_flags_missing"])]}}
	k8s_api_peers.fail == set() with input as blind
}
