# METADATA
# title: The API server has no address that anyone can reach
# description: >-
#   It is the front door to every GPU. Told by the address that the scan asked and the one that
#   kube-public/cluster-info publishes; no name is looked up. A public address passes where the account of EKS,
#   scanned in the same run, narrows it to blocks of /16 or less; other filters in front are not seen. Names,
#   tunnels and proxies are unknown: the provider's account decides.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/controlling-access/
#   - https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html
# custom:
#   severity: medium
#   kind: cluster
#   scope_on: []
#   fail_on: [api_reach]
#   controls:
#     cis_eks_1.8: ["5.4.1", "5.4.2"]
#     cis_gke_1.9: ["5.6.3", "5.6.4"]
#     cis_aks_1.8: ["5.4.1", "5.4.2"]
#     nist_800_53_r5: [SC-7, AC-17]
#     mitre_attack_containers: [T1133, T1190]
#     pci_dss_4: ["1.4.2"]
#     soc2: [CC6.6]
#   tags: [kubernetes, control-plane]
#   covers:
#     kubernetes/v1/Cluster:
#       catalog: [K8S-NET-015]
#       fix:
#         console: "Give the API server a private address, or admit single networks only."
package policies.exposure.k8s_api_reach

import rego.v1

scope contains c.id if some c in input.resources.cluster

fail contains {
	"id": c.id, "fact": "api_reach", "expected": "private, or narrow blocks",
	"message": "its API server has a public address, and nothing that was seen narrows it",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.api_reach == "public"
}
