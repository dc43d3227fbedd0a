# METADATA
# title: Kubelets accept strong cipher suites only
# description: >-
#   Suites without forward secrecy, or with CBC, 3DES or RC4, let recorded traffic be read later. Strong are ECDHE
#   with AES-GCM or ChaCha20-Poly1305. With TLS 1.3 as the least the list does not count. Told by the kubelet's
#   configuration or its answer to /configz, given as files: a scan never asks a kubelet, since that takes
#   nodes/proxy. Flags stand above a file and are seen in the answer alone.
# related_resources:
#   - https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
#   - https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/
# custom:
#   severity: medium
#   kind: node
#   scope_on: [serverless]
#   fail_on: [kubelet_tls_min_version, kubelet_cipher_suites]
#   controls:
#     cis_k8s_1.12: ["4.2.12"]
#     nist_800_53_r5: [SC-13]
#     mitre_attack_containers: [T1557]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, kubelet]
#   covers:
#     v1/Node: &same
#       catalog: [K8S-TLS-008]
#       fix:
#         manifest: "tlsMinVersion: VersionTLS13, or tlsCipherSuites with ECDHE and AES-GCM or ChaCha20-Poly1305 alone."
#     kubelet.config.k8s.io/v1beta1/KubeletConfiguration: *same
package policies.transit.k8s_kubelet_ciphers

import data.policies.lib.control_plane
import rego.v1

exempt contains {"id": n.id, "reason": "the provider runs the node alone"} if {
	some n in input.resources.node
	n.serverless == true
}

scope contains n.id if {
	some n in input.resources.node
	n.serverless == false
}

safe contains n.id if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_tls_min_version == "1.3"
}

fail contains {
	"id": n.id, "fact": "kubelet_cipher_suites", "expected": "ECDHE with AES-GCM or ChaCha20", "actual": weak,
	"message": sprintf("its kubelet accepts %s", [concat(", ", weak)]),
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_tls_min_version < "1.3"
	suites := n.kubelet_cipher_suites
	weak := sort({s | some s in suites} - control_plane.strong)
	count(weak) > 0
}

fail contains {
	"id": n.id, "fact": "kubelet_cipher_suites", "expected": "a list, or TLS 1.3",
	"message": "its kubelet accepts whatever its build accepts with TLS 1.2",
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_tls_min_version < "1.3"
	count(n.kubelet_cipher_suites) == 0
}
