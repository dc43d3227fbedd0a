package policies.exposure.k8s_node_port_test

import data.policies.exposure.k8s_node_port
import rego.v1

endpoint := {"id": "e", "endpoint_type": "service", "service_type": "ClusterIP", "external_ips": []}

world(changes) := {"resources": {"endpoint": [object.union(endpoint, changes)]}}

test_node_port_fails if {
	k8s_node_port.fail == {
		{"id": "e", "fact": "service_type", "expected": "ClusterIP or LoadBalancer", "message": "opens a port on every node"},
	} with input as world({"service_type": "NodePort"})
}

test_external_fails if {
	k8s_node_port.fail == {
		{"id": "e", "fact": "external_ips", "expected": [], "message": "takes the external address 198.51.100.7"},
	} with input as world({"external_ips": ["198.51.100.7"]})
}

test_sound_passes if {
	k8s_node_port.fail == set() with input as world({})
	k8s_node_port.scope == {"e"} with input as world({})
}

test_load_balancer_passes if {
	k8s_node_port.fail == set() with input as world({"service_type": "LoadBalancer"})
	k8s_node_port.scope == {"e"} with input as world({"service_type": "LoadBalancer"})
}

test_out_of_scope if {
	every change in [{"endpoint_type": "ingress", "service_type": "NodePort"}] {
		k8s_node_port.scope == set() with input as world(change)
		k8s_node_port.fail == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"endpoint": [object.remove(endpoint, ["service_type", "external_ips"])]}}
	k8s_node_port.fail == set() with input as blind
}
