# METADATA
# title: Cilium encrypts what pods send to other nodes
# description: >-
#   Without WireGuard or IPsec everything that pods send to other nodes travels in clear. The values are texts: only true
#   as a text turns a switch on. With both on, no agent starts. Traffic within a node is never encrypted, by design. Of a
#   Cilium that a cloud manages (AKS, GKE) the cloud's API says it; by ztunnel single namespaces are encrypted: both are
#   unknown here. Flaws of IPsec in old versions are not judged.
# related_resources:
#   - https://docs.cilium.io/en/stable/security/network/encryption/
# custom:
#   severity: medium
#   kind: configuration
#   scope_on: [plugin]
#   fail_on: [pod_encryption]
#   controls:
#     nist_800_53_r5: [SC-8(1), SC-13]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, network]
#   covers:
#     v1/ConfigMap:
#       catalog: [K8S-TLS-003]
#       fix:
#         manifest: "Helm: encryption.enabled=true, encryption.type=wireguard."
package policies.transit.k8s_cilium_encryption

import rego.v1

scope contains c.id if {
	some c in input.resources.configuration
	c.plugin == "cilium"
}

fail contains {
	"id": c.id, "fact": "pod_encryption", "expected": "wireguard or ipsec",
	"message": "Cilium encrypts nothing between nodes",
} if {
	some c in input.resources.configuration
	c.id in scope
	c.pod_encryption == "none"
}

fail contains {
	"id": c.id, "fact": "pod_encryption", "expected": "wireguard or ipsec",
	"message": "WireGuard and IPsec are both on, with which Cilium does not start",
} if {
	some c in input.resources.configuration
	c.id in scope
	c.pod_encryption == "both"
}
