# METADATA
# title: Kubelets ask the API server whether a request is allowed
# description: >-
#   With AlwaysAllow every identity that authenticates runs commands in every pod. Webhook is the default of a file,
#   AlwaysAllow where a kubelet has only flags. Told by the kubelet's configuration or its answer to /configz, given
#   as files: a scan never asks a kubelet, since that takes nodes/proxy. Flags stand above a file and are seen in
#   the answer alone.
# related_resources:
#   - https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
#   - https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/
# custom:
#   severity: critical
#   kind: node
#   scope_on: [serverless]
#   fail_on: [kubelet_authorization]
#   controls:
#     cis_k8s_1.12: ["4.2.2"]
#     cis_eks_1.8: ["3.2.2"]
#     cis_aks_1.8: ["3.2.2"]
#     nist_800_53_r5: [AC-3]
#     mitre_attack_containers: [T1609]
#     pci_dss_4: ["7.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, kubelet]
#   covers:
#     v1/Node: &same
#       catalog: [K8S-NODE-002]
#       fix:
#         manifest: "authorization: {mode: Webhook}"
#     kubelet.config.k8s.io/v1beta1/KubeletConfiguration: *same
package policies.iam.k8s_kubelet_authorization

import rego.v1

exempt contains {"id": n.id, "reason": "the provider runs the node alone"} if {
	some n in input.resources.node
	n.serverless == true
}

scope contains n.id if {
	some n in input.resources.node
	n.serverless == false
}

fail contains {
	"id": n.id, "fact": "kubelet_authorization", "expected": "Webhook",
	"message": "its kubelet allows everything (AlwaysAllow)",
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_authorization == "AlwaysAllow"
}
