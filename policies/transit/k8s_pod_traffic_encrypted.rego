# METADATA
# title: What accelerator pods send to other machines is encrypted
# description: >-
#   Models, prompts and gradients between nodes are readable for whoever taps the wire or the fabric. Any of these is
#   enough for a workload: STRICT mutual TLS of a mesh, encryption by the network plugin, TLS of the server itself (Ray,
#   vLLM, Triton), or links that encrypt in hardware (AWS instances, by their type). RDMA passes by all of them but the
#   link. It fails only where everything that could encrypt was seen and none does; where the fabric or the cloud was not
#   seen, the verdict is unknown and lists what is missing. MACsec and IPsec offload of the fabric are not seen; nor is
#   whether instances of other VPCs belong to the cluster.
# related_resources:
#   - https://docs.cilium.io/en/stable/security/network/encryption/
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/data-protection.html#encryption-transit
# custom:
#   severity: high
#   kind: namespace
#   scope_on: [accelerated]
#   fail_on: [accelerators_in_clear]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1)]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, fabric]
#   covers:
#     v1/Namespace:
#       catalog: [K8S-TLS-002]
#       fix:
#         manifest: "Turn on WireGuard or IPsec of the network plugin, or put the workloads into a mesh with STRICT mutual TLS."
package policies.transit.k8s_pod_traffic_encrypted

import rego.v1

scope contains n.id if {
	some n in input.resources.namespace
	n.accelerated == true
}

fail contains {
	"id": n.id, "fact": "accelerators_in_clear", "expected": [],
	"message": sprintf("nothing encrypts what %s sends to other machines", [concat(", ", array.slice(n.accelerators_in_clear, 0, 5))]),
} if {
	some n in input.resources.namespace
	n.id in scope
	count(n.accelerators_in_clear) > 0
}
