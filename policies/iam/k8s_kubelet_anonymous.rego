# METADATA
# title: Kubelets let in no anonymous requests
# description: >-
#   Whoever reaches port 10250 could run commands in every pod of the node. Off by default in a file, on where a
#   kubelet has only flags. Told by the kubelet's configuration or its answer to /configz, given as files: a scan
#   never asks a kubelet, since that takes nodes/proxy. Flags stand above a file and are seen in the answer alone.
# related_resources:
#   - https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
#   - https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/
# custom:
#   severity: critical
#   kind: node
#   scope_on: [serverless]
#   fail_on: [kubelet_anonymous]
#   controls:
#     cis_k8s_1.12: ["4.2.1"]
#     cis_eks_1.8: ["3.2.1"]
#     cis_aks_1.8: ["3.2.1"]
#     nist_800_53_r5: [AC-14, IA-2]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["8.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, kubelet]
#   covers:
#     v1/Node: &same
#       catalog: [K8S-NODE-001]
#       fix:
#         manifest: "authentication: {anonymous: {enabled: false}}"
#     kubelet.config.k8s.io/v1beta1/KubeletConfiguration: *same
package policies.iam.k8s_kubelet_anonymous

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
	"id": n.id, "fact": "kubelet_anonymous", "expected": false,
	"message": "its kubelet lets in requests without credentials",
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_anonymous == true
}
