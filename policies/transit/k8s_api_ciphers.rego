# METADATA
# title: The API server accepts strong cipher suites only
# description: >-
#   Suites without forward secrecy, or with CBC, 3DES or RC4, let recorded traffic be read later. Strong are ECDHE
#   with AES-GCM or ChaCha20-Poly1305. With TLS 1.3 as the least the list does not count. Judged by the static pods
#   of kube-system; where a provider runs the control plane its own rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#   - https://pkg.go.dev/crypto/tls#pkg-constants
# custom:
#   severity: medium
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [tls_min_version, tls_cipher_suites]
#   controls:
#     cis_k8s_1.12: ["1.2.29"]
#     nist_800_53_r5: [SC-13]
#     mitre_attack_containers: [T1557]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-TLS-008]
#       fix:
#         manifest: "--tls-min-version=VersionTLS13, or --tls-cipher-suites with ECDHE and AES-GCM or ChaCha20-Poly1305 alone."
#     kubernetes/v1/Cluster: *same
package policies.transit.k8s_api_ciphers

import data.policies.lib.control_plane
import rego.v1

exempt contains reason if {
	some c in input.resources.cluster
	reason := control_plane.exemption(c, c.api_server)
}

scope contains c.id if {
	some c in input.resources.cluster
	c.api_server == "here"
}

safe contains c.id if {
	some c in input.resources.cluster
	c.id in scope
	c.tls_min_version == "1.3"
}

fail contains {
	"id": c.id, "fact": "tls_cipher_suites", "expected": "ECDHE with AES-GCM or ChaCha20", "actual": weak,
	"message": sprintf("it accepts %s", [concat(", ", weak)]),
} if {
	some c in input.resources.cluster
	c.id in scope
	c.tls_min_version < "1.3"
	suites := c.tls_cipher_suites
	weak := sort({s | some s in suites} - control_plane.strong)
	count(weak) > 0
}

fail contains {
	"id": c.id, "fact": "tls_cipher_suites", "expected": "a list, or TLS 1.3",
	"message": "it accepts whatever its build accepts with TLS 1.2",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.tls_min_version < "1.3"
	count(c.tls_cipher_suites) == 0
}
