# METADATA
# title: Ingresses have a certificate for every host
# description: >-
#   Over plain HTTP, prompts and tokens travel in clear. A host is covered by spec.tls (a wildcard there counts), or by a
#   certificate that an annotation gives the load balancer (AWS, Google, Azure). A default certificate set in the
#   controller itself is not seen; whether HTTP is redirected is not judged.
# related_resources:
#   - https://kubernetes.io/docs/concepts/services-networking/ingress/#tls
# custom:
#   severity: high
#   kind: endpoint
#   scope_on: [endpoint_type]
#   fail_on: [hosts_without_tls]
#   controls:
#     cis_eks_1.8: ["5.4.5"]
#     cis_gke_1.9: ["5.6.7"]
#     cis_aks_1.8: ["5.4.5"]
#     nist_800_53_r5: [SC-8, SC-8(1)]
#     mitre_attack_containers: [T1040, T1557]
#     pci_dss_4: ["4.2.1", "2.2.7"]
#     soc2: [CC6.7]
#   tags: [kubernetes, tls]
#   covers:
#     networking.k8s.io/v1/Ingress:
#       catalog: [K8S-NET-012]
#       fix:
#         manifest: Add spec.tls with the host and a certificate Secret.
package policies.transit.k8s_ingress_tls

import rego.v1

scope contains e.id if {
	some e in input.resources.endpoint
	e.endpoint_type == "ingress"
}

fail contains {
	"id": e.id, "fact": "hosts_without_tls", "expected": [],
	"message": sprintf("no certificate covers %s", [{"*": "requests to any host"}[host]]),
} if {
	some e in input.resources.endpoint
	e.id in scope
	some host in e.hosts_without_tls
	host == "*"
}

fail contains {
	"id": e.id, "fact": "hosts_without_tls", "expected": [],
	"message": sprintf("no certificate covers %s", [host]),
} if {
	some e in input.resources.endpoint
	e.id in scope
	some host in e.hosts_without_tls
	host != "*"
}
