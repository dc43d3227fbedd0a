# METADATA
# title: Peers of network policies say what they seem to say
# description: >-
#   A namespaceSelector and a podSelector in one item pick pods that meet both; as two items they admit whoever meets
#   either, which is one dash away and far more. An empty namespaceSelector alone admits every pod of every namespace.
#   A list with both kinds of items fails, whatever the labels in the cluster are, for a medium risk where the catalogue
#   would grade by what is widened. An empty podSelector beside a namespaceSelector is not taken for a slip, since it means
#   the policy's own namespace, and rules for the ports of DNS alone may go to every namespace.
# related_resources:
#   - https://kubernetes.io/docs/concepts/services-networking/network-policies/#behavior-of-to-and-from-selectors
# custom:
#   severity: medium
#   kind: network_policy
#   scope_on: []
#   fail_on: [ambiguous_peers]
#   controls:
#     cis_k8s_1.12: ["5.3.2"]
#     nist_800_53_r5: [AC-4]
#     mitre_attack_containers: [T1046]
#     pci_dss_4: ["1.2.1"]
#     soc2: [CC6.6]
#   tags: [kubernetes, segmentation]
#   covers:
#     networking.k8s.io/v1/NetworkPolicy:
#       catalog: [K8S-NET-005]
#       fix:
#         manifest: |-
#           ingress:
#             - from:
#                 - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}
#                   podSelector: {matchLabels: {app: prometheus}}
package policies.network.k8s_policy_peers

import rego.v1

scope contains p.id if some p in input.resources.network_policy

fail contains {
	"id": p.id, "fact": "ambiguous_peers", "expected": [],
	"tag": sprintf("%s %d split", [found.direction, found.rule]),
	"message": sprintf("%s rule %d has a namespaceSelector and a podSelector as two items: either is enough", [found.direction, found.rule]),
} if {
	some p in input.resources.network_policy
	some found in p.ambiguous_peers
	found.problem == "split"
}

fail contains {
	"id": p.id, "fact": "ambiguous_peers", "expected": [],
	"tag": sprintf("%s %d all", [found.direction, found.rule]),
	"message": sprintf("%s rule %d has an empty namespaceSelector: every pod of every namespace is a peer", [found.direction, found.rule]),
} if {
	some p in input.resources.network_policy
	some found in p.ambiguous_peers
	found.problem == "all_namespaces"
}
