# METADATA
# title: Cilium drops what would leave a node unencrypted
# description: >-
#   As long as an agent does not know yet on which node an address is, what is sent there leaves in clear although
#   WireGuard is on. Strict mode drops it instead. Clusters that encrypt by IPsec, or not at all, are not judged here.
# related_resources:
#   - https://docs.cilium.io/en/stable/security/network/encryption-wireguard/#which-traffic-is-encrypted
# custom:
#   severity: low
#   kind: configuration
#   scope_on: [plugin, pod_encryption]
#   fail_on: [drops_clear]
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
#         manifest: "Helm: encryption.strictMode.egress.enabled=true, with the CIDR of the pods."
package policies.transit.k8s_cilium_strict

import rego.v1

scope contains c.id if {
	some c in input.resources.configuration
	c.plugin == "cilium"
	c.pod_encryption == "wireguard"
}

fail contains {
	"id": c.id, "fact": "drops_clear", "expected": true,
	"message": "packets to addresses that an agent does not know yet leave in clear",
} if {
	some c in input.resources.configuration
	c.id in scope
	c.drops_clear == false
}
