package policies.transit.k8s_mesh_client_tls_test

import data.policies.transit.k8s_mesh_client_tls
import rego.v1

policy := {"id": "p", "policy_type": "destination_rule", "host": "chat.serving.svc", "client_tls": [{"where": "", "mode": "ISTIO_MUTUAL"}]}

world(changes) := {"resources": {"mesh_policy": [object.union(policy, changes)]}}

test_clear_fails if {
	clear := {"where": "", "mode": "DISABLE"}
	port := {"where": "port 8000", "mode": "DISABLE"}
	k8s_mesh_client_tls.fail == {
		{"id": "p", "fact": "client_tls", "expected": "no DISABLE", "actual": {"where": "", "mode": "DISABLE"}, "message": "clients of chat.serving.svc are told to speak in clear"},
		{"id": "p", "fact": "client_tls", "expected": "no DISABLE", "actual": {"where": "port 8000", "mode": "DISABLE"}, "message": "clients of chat.serving.svc are told to speak in clear port 8000"},
	} with input as world({"client_tls": [clear, port]})
}

test_mutual_passes if {
	k8s_mesh_client_tls.fail == set() with input as world({})
	k8s_mesh_client_tls.scope == {"p"} with input as world({})
	k8s_mesh_client_tls.fail == set() with input as world({"client_tls": []})
}

test_out_of_scope if {
	every change in [{"host": "kubernetes.default.svc.cluster.local"}, {"host": "kubernetes.default"}, {"policy_type": "authorization"}] {
		k8s_mesh_client_tls.scope == set() with input as world(object.union(change, {"client_tls": [{"where": "", "mode": "DISABLE"}]}))
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"mesh_policy": [object.remove(policy, ["client_tls"])]}}
	k8s_mesh_client_tls.fail == set() with input as blind
}
