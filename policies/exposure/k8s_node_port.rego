# METADATA
# title: Services open no node ports or external addresses
# description: >-
#   A NodePort opens the service on every node's address. externalIPs let whoever may write Services draw traffic of any
#   address to a pod (CVE-2020-8554). The node ports that a LoadBalancer gets besides are not meant.
# related_resources:
#   - https://kubernetes.io/docs/concepts/services-networking/service/#type-nodeport
# custom:
#   severity: medium
#   kind: endpoint
#   scope_on: [endpoint_type]
#   fail_on: [service_type, external_ips]
#   controls:
#     cis_k8s_1.12: ["1.2.3"]
#     nist_800_53_r5: [SC-7, CM-7]
#     mitre_attack_containers: [T1133]
#     pci_dss_4: ["1.4.2"]
#     soc2: [CC6.6]
#   tags: [kubernetes, exposure]
#   covers:
#     v1/Service:
#       catalog: [K8S-NET-011]
#       fix:
#         manifest: "Use type: ClusterIP behind a gateway, and remove externalIPs."
package policies.exposure.k8s_node_port

import rego.v1

scope contains e.id if {
	some e in input.resources.endpoint
	e.endpoint_type == "service"
}

fail contains {"id": e.id, "fact": "service_type", "expected": "ClusterIP or LoadBalancer", "message": "opens a port on every node"} if {
	some e in input.resources.endpoint
	e.id in scope
	e.service_type == "NodePort"
}

fail contains {
	"id": e.id, "fact": "external_ips", "expected": [],
	"message": sprintf("takes the external address %s", [address]),
} if {
	some e in input.resources.endpoint
	e.id in scope
	some address in e.external_ips
}
