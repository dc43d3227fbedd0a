# METADATA
# title: Something in the cluster enforces NetworkPolicies
# description: >-
#   The API server takes NetworkPolicies whether or not anything enforces them. Network plugins are recognised by the images and the
#   containers of DaemonSets: Cilium (unless enable-policy is never), Calico, Antrea, OVN-Kubernetes, Kube-OVN, kube-router,
#   kube-network-policies, Weave Net, GKE Dataplane V2, the Azure network policy manager, and the Amazon VPC CNI with both its agent
#   and its controller turned on. Where no plugin is recognised, or k3s may have a controller of its own, it is unknown. Whether an
#   agent is ready on every node is not judged.
# related_resources:
#   - https://kubernetes.io/docs/concepts/services-networking/network-policies/#prerequisites
#   - https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy-configure.html
# custom:
#   severity: high
#   kind: cluster
#   scope_on: []
#   fail_on: [ignores_policies]
#   controls:
#     cis_k8s_1.12: ["5.3.1"]
#     cis_eks_1.8: ["4.3.1"]
#     cis_gke_1.9: ["4.3.1"]
#     cis_aks_1.8: ["4.4.1"]
#     nsa_cisa_1.2: [Network separation and hardening]
#     nist_800_53_r5: [SC-7]
#     mitre_attack_containers: [T1046]
#     pci_dss_4: ["1.3.1"]
#     soc2: [CC6.6]
#   tags: [kubernetes, network]
#   covers:
#     kubernetes/v1/Cluster:
#       catalog: [K8S-NET-004]
#       fix:
#         manifest: Install a network plugin with a policy engine, or one beside it, such as kube-network-policies.
package policies.network.k8s_policy_engine

import rego.v1

scope contains c.id if {
	some c in input.resources.cluster
}

fail contains {
	"id": c.id, "fact": "ignores_policies", "expected": [], "actual": plugins,
	"message": sprintf("it runs on %s, and nothing in it enforces NetworkPolicies", [concat(", ", plugins)]),
} if {
	some c in input.resources.cluster
	c.id in scope
	plugins := c.ignores_policies
	count(plugins) > 0
}
