package policies.transit.k8s_mesh_mtls_test

import data.policies.transit.k8s_mesh_mtls
import rego.v1

workload := {"id": "w", "mesh": "istio", "mtls_mode": "STRICT", "mtls_weak_ports": []}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_permissive_fails if {
	k8s_mesh_mtls.fail == {
		{"id": "w", "fact": "mtls_mode", "expected": "STRICT", "message": "it takes callers without mutual TLS (PERMISSIVE)"},
	} with input as world({"mtls_mode": "PERMISSIVE"})
}

test_a_weak_port_fails if {
	k8s_mesh_mtls.fail == {
		{"id": "w", "fact": "mtls_weak_ports", "expected": "STRICT on every port", "message": "ports 8080, 9000 take callers without mutual TLS"},
	} with input as world({"mesh": "istio-ambient", "mtls_weak_ports": ["8080", "9000"]})
}

test_strict_passes if {
	k8s_mesh_mtls.fail == set() with input as world({})
	k8s_mesh_mtls.scope == {"w"} with input as world({})
}

test_out_of_scope if {
	every mesh in ["none", "linkerd", "istio-gateway"] {
		k8s_mesh_mtls.scope == set() with input as world({"mesh": mesh, "mtls_mode": "PERMISSIVE"})
		k8s_mesh_mtls.fail == set() with input as world({"mesh": mesh, "mtls_mode": "PERMISSIVE"})
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["mtls_mode", "mtls_weak_ports"])]}}
	k8s_mesh_mtls.fail == set() with input as blind
}
