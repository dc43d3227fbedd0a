# METADATA
# title: The API server speaks TLS 1.3 only
# description: >-
#   The default is TLS 1.2. `floor` is the lowest version that may be accepted. Judged by the static pods of
#   kube-system; where a provider runs the control plane its own rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
# custom:
#   severity: medium
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [tls_min_version]
#   params:
#     floor: "1.3"
#   controls:
#     cis_k8s_1.12: ["1.2.29"]
#     nist_800_53_r5: [SC-8, SC-13]
#     mitre_attack_containers: [T1557]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-TLS-007]
#       fix:
#         manifest: "--tls-min-version=VersionTLS13"
#     kubernetes/v1/Cluster: *same
package policies.transit.k8s_api_tls_version

import data.policies.lib.control_plane
import rego.v1

floor := input.params["transit.k8s_api_tls_version"].floor

exempt contains reason if {
	some c in input.resources.cluster
	reason := control_plane.exemption(c, c.api_server)
}

scope contains c.id if {
	some c in input.resources.cluster
	c.api_server == "here"
}

fail contains {
	"id": c.id, "fact": "tls_min_version", "expected": floor,
	"message": sprintf("it accepts TLS %s", [c.tls_min_version]),
} if {
	some c in input.resources.cluster
	c.id in scope
	c.tls_min_version < floor
}
