# METADATA
# title: Kubelets speak TLS 1.3 only and know their clients by an authority
# description: >-
#   exec and logs go through the kubelet. The default is TLS 1.2; `floor` is the lowest version that may be
#   accepted. Without a client CA certificates prove nothing. Told by the kubelet's configuration or its answer to
#   /configz, given as files: a scan never asks a kubelet, since that takes nodes/proxy. Flags stand above a file
#   and are seen in the answer alone.
# related_resources:
#   - https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
#   - https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/
# custom:
#   severity: medium
#   kind: node
#   scope_on: [serverless]
#   fail_on: [kubelet_client_ca, kubelet_tls_min_version]
#   params:
#     floor: "1.3"
#   controls:
#     cis_k8s_1.12: ["4.2.3", "4.2.12"]
#     cis_eks_1.8: ["3.2.3"]
#     cis_aks_1.8: ["3.2.3"]
#     nist_800_53_r5: [SC-8, SC-13]
#     mitre_attack_containers: [T1557]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, kubelet]
#   covers:
#     v1/Node: &same
#       catalog: [K8S-NODE-005]
#       fix:
#         manifest: "tlsMinVersion: VersionTLS13, authentication: {x509: {clientCAFile: /etc/kubernetes/pki/ca.crt}}"
#     kubelet.config.k8s.io/v1beta1/KubeletConfiguration: *same
package policies.transit.k8s_kubelet_tls

import rego.v1

exempt contains {"id": n.id, "reason": "the provider runs the node alone"} if {
	some n in input.resources.node
	n.serverless == true
}

scope contains n.id if {
	some n in input.resources.node
	n.serverless == false
}

floor := input.params["transit.k8s_kubelet_tls"].floor

fail contains {
	"id": n.id, "fact": "kubelet_client_ca", "expected": true,
	"message": "its kubelet has no authority for its clients (clientCAFile)",
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_client_ca == false
}

fail contains {
	"id": n.id, "fact": "kubelet_tls_min_version", "expected": floor,
	"message": sprintf("its kubelet accepts TLS %s", [n.kubelet_tls_min_version]),
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_tls_min_version < floor
}
