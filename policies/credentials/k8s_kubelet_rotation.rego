# METADATA
# title: Kubelets renew their certificates
# description: >-
#   A node's certificate that nobody renews is a key that lives for a year. Where a kubelet signs its own serving
#   certificate, nobody can verify it. Nodes of EKS show an IAM identity instead of a client certificate. Told by
#   the kubelet's configuration or its answer to /configz, given as files: a scan never asks a kubelet, since that
#   takes nodes/proxy. Flags stand above a file and are seen in the answer alone.
# related_resources:
#   - https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
#   - https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/
# custom:
#   severity: medium
#   kind: node
#   scope_on: [serverless]
#   fail_on: [kubelet_client_rotation, kubelet_serving]
#   controls:
#     cis_k8s_1.12: ["4.2.9", "4.2.10", "4.2.11"]
#     cis_eks_1.8: ["3.2.8", "3.2.9"]
#     cis_aks_1.8: ["3.2.8", "3.2.9"]
#     nist_800_53_r5: [IA-5(2), SC-12]
#     mitre_attack_containers: [T1078]
#     pci_dss_4: ["8.3.9"]
#     soc2: [CC6.1]
#   tags: [kubernetes, kubelet]
#   covers:
#     v1/Node: &same
#       catalog: [K8S-NODE-004]
#       fix:
#         manifest: "rotateCertificates: true, serverTLSBootstrap: true, and someone who approves the requests."
#     kubelet.config.k8s.io/v1beta1/KubeletConfiguration: *same
package policies.credentials.k8s_kubelet_rotation

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
	"id": n.id, "fact": "kubelet_client_rotation", "expected": true,
	"message": "its kubelet does not renew its client certificate (rotateCertificates)",
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_client_rotation == false
}

fail contains {
	"id": n.id, "fact": "kubelet_serving", "expected": "issued by the cluster",
	"message": "its kubelet signs its own serving certificate (serverTLSBootstrap)",
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_serving == "self_signed"
}
