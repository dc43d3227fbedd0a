package policies.network.k8s_rendezvous_service_test

import data.policies.network.k8s_rendezvous_service
import rego.v1

service := {
	"id": "s", "endpoint_type": "service", "service_type": "ClusterIP", "external_ips": [],
	"service_ports": [{"name": "", "port": 29500, "target": "29500"}, {"name": "web", "port": 80, "target": "8080"}],
}

params := {"network.k8s_rendezvous_service": {"ports": ["29500", "23456", "pytorchjob-port"]}}

world(changes) := {"params": params, "resources": {"endpoint": [object.union(service, changes)]}}

test_node_port_fails if {
	k8s_rendezvous_service.fail == {{
		"id": "s", "fact": "service_type", "expected": "ClusterIP", "actual": "NodePort", "tag": "29500",
		"message": "a Service of type NodePort publishes the rendezvous port 29500",
	}} with input as world({"service_type": "NodePort"})
}

test_target_behind_another_port_fails if {
	ports := [{"name": "", "port": 80, "target": "pytorchjob-port"}]
	k8s_rendezvous_service.fail == {{
		"id": "s", "fact": "service_type", "expected": "ClusterIP", "actual": "LoadBalancer", "tag": "80",
		"message": "a Service of type LoadBalancer publishes the rendezvous port 80",
	}} with input as world({"service_type": "LoadBalancer", "service_ports": ports})
}

test_external_address_fails if {
	k8s_rendezvous_service.fail == {{
		"id": "s", "fact": "external_ips", "expected": [], "actual": ["203.0.113.7"], "tag": "29500",
		"message": "external addresses publish the rendezvous port 29500",
	}} with input as world({"external_ips": ["203.0.113.7"]})
}

test_inside_passes if {
	k8s_rendezvous_service.scope == {"s"} with input as world({})
	k8s_rendezvous_service.fail == set() with input as world({})
}

test_other_ports_are_out_of_scope if {
	other := {"service_type": "LoadBalancer", "service_ports": [{"name": "", "port": 443, "target": "8443"}]}
	k8s_rendezvous_service.scope == set() with input as world(other)
	k8s_rendezvous_service.fail == set() with input as world(other)
	k8s_rendezvous_service.scope == set() with input as world({"endpoint_type": "ingress"})
}

test_blind_proves_nothing if {
	blind := {"params": params, "resources": {"endpoint": [object.remove(service, ["service_type", "external_ips"])]}}
	k8s_rendezvous_service.fail == set() with input as blind
	blinder := {"params": params, "resources": {"endpoint": [object.remove(service, ["service_ports"])]}}
	k8s_rendezvous_service.scope == set() with input as blinder
}
