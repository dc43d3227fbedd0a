# METADATA
# title: Services keep rendezvous ports of training jobs inside the cluster
# description: >-
#   A Service of type NodePort or LoadBalancer, or one with external addresses, carries a port to whoever reaches the nodes
#   or the balancer. Of torch.distributed (29500, 23456), TensorFlow's parameter servers and MPI (2222), and Ray (6379,
#   10001) nobody is asked for a password there, and what comes in is unpickled. The rule looks at the ports of a Service and at
#   those that they lead to; 6379 is Redis' port as well, which belongs there no more. What filters and source ranges do
#   is not looked at.
# related_resources:
#   - https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types
#   - https://docs.vllm.ai/en/stable/usage/security.html
# custom:
#   severity: medium
#   kind: endpoint
#   scope_on: [endpoint_type, service_ports]
#   fail_on: [service_type, external_ips]
#   params:
#     ports: ["29500", "23456", "2222", "6379", "10001", pytorchjob-port, tfjob-port, gcs-server]
#   controls:
#     nist_800_53_r5: [SC-7]
#     mitre_attack_containers: [T1210]
#     pci_dss_4: ["1.3.1"]
#     soc2: [CC6.6]
#   tags: [kubernetes, segmentation, ai]
#   covers:
#     v1/Service:
#       catalog: [K8S-NET-016]
#       fix:
#         manifest: "spec: {type: ClusterIP, clusterIP: None}"
package policies.network.k8s_rendezvous_service

import rego.v1

params := input.params["network.k8s_rendezvous_service"]

rendezvous(port) if port.target in params.ports

rendezvous(port) if sprintf("%d", [port.port]) in params.ports

scope contains e.id if {
	some e in input.resources.endpoint
	e.endpoint_type == "service"
	some port in e.service_ports
	rendezvous(port)
}

fail contains {
	"id": e.id, "fact": "service_type", "expected": "ClusterIP", "actual": e.service_type, "tag": sprintf("%d", [port.port]),
	"message": sprintf("a Service of type %s publishes the rendezvous port %d", [e.service_type, port.port]),
} if {
	some e in input.resources.endpoint
	e.id in scope
	e.service_type in {"NodePort", "LoadBalancer"}
	some port in e.service_ports
	rendezvous(port)
}

fail contains {
	"id": e.id, "fact": "external_ips", "expected": [], "actual": e.external_ips, "tag": sprintf("%d", [port.port]),
	"message": sprintf("external addresses publish the rendezvous port %d", [port.port]),
} if {
	some e in input.resources.endpoint
	e.id in scope
	count(e.external_ips) > 0
	some port in e.service_ports
	rendezvous(port)
}
