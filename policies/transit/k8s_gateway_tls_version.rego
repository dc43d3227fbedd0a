# METADATA
# title: Istio gateways accept TLS 1.3 only
# description: >-
#   A gateway that ends TLS accepts 1.2 unless minProtocolVersion says TLSV1_3. Servers that pass TLS through, or take the
#   certificates of the mesh, are not meant. The Gateway API leaves versions to its implementations: they are not judged there.
# related_resources:
#   - https://istio.io/latest/docs/reference/config/networking/gateway/#ServerTLSSettings
# custom:
#   severity: medium
#   kind: endpoint
#   scope_on: [endpoint_type, tls_versions]
#   fail_on: [tls_versions]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1)]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, tls]
#   covers:
#     networking.istio.io/v1/Gateway:
#       catalog: [K8S-NET-013]
#       fix:
#         manifest: "tls.minProtocolVersion: TLSV1_3"
package policies.transit.k8s_gateway_tls_version

import rego.v1

scope contains e.id if {
	some e in input.resources.endpoint
	e.endpoint_type == "gateway"
	count(e.tls_versions) > 0
}

fail contains {
	"id": e.id, "fact": "tls_versions", "expected": ["1.3"], "actual": e.tls_versions,
	"message": sprintf("it accepts TLS %s", [concat(", ", old)]),
} if {
	some e in input.resources.endpoint
	e.id in scope
	old := [version | some version in e.tls_versions; version != "1.3"]
	count(old) > 0
}
