# METADATA
# title: Calico encrypts what pods send to other nodes, on every node
# description: >-
#   Calico encrypts by WireGuard only where its default configuration says so, and only between nodes that have published
#   a key: a node without one (no kernel module, an override of its own) sends and receives in clear, without a word. IPv6
#   takes a switch of its own, which counts on nodes where Calico has an IPv6 address.
# related_resources:
#   - https://docs.tigera.io/calico/latest/network-policy/encrypt-cluster-pod-traffic
#   - https://docs.tigera.io/calico/latest/reference/resources/felixconfig
# custom:
#   severity: medium
#   kind: configuration
#   scope_on: [plugin]
#   fail_on: [pod_encryption, nodes_in_clear]
#   controls:
#     nist_800_53_r5: [SC-8(1)]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, network]
#   covers:
#     crd.projectcalico.org/v1/FelixConfiguration: &same
#       catalog: [K8S-TLS-004]
#       fix:
#         manifest: "FelixConfiguration default: spec.wireguardEnabled: true (and wireguardEnabledV6 with IPv6)."
#     projectcalico.org/v3/FelixConfiguration: *same
package policies.transit.k8s_calico_encryption

import rego.v1

scope contains c.id if {
	some c in input.resources.configuration
	c.plugin == "calico"
}

fail contains {
	"id": c.id, "fact": "pod_encryption", "expected": "wireguard",
	"message": "Calico encrypts nothing between nodes",
} if {
	some c in input.resources.configuration
	c.id in scope
	c.pod_encryption == "none"
}

fail contains {
	"id": c.id, "fact": "nodes_in_clear", "expected": [],
	"message": sprintf("%d nodes take no part in it: %s", [count(c.nodes_in_clear), concat(", ", array.slice(c.nodes_in_clear, 0, 5))]),
} if {
	some c in input.resources.configuration
	c.id in scope
	count(c.nodes_in_clear) > 0
}
