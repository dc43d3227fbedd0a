# METADATA
# title: No client of the mesh is told to speak in clear
# description: >-
#   A DestinationRule with the mode DISABLE makes the proxies of its clients send plain text, whatever the server would
#   take. Where the server asks for mutual TLS such calls fail; elsewhere they travel in clear. The API server, which
#   speaks TLS of its own, is not meant.
# related_resources:
#   - https://istio.io/latest/docs/reference/config/networking/destination-rule/#ClientTLSSettings-TLSmode
# custom:
#   severity: medium
#   kind: mesh_policy
#   scope_on: [policy_type, host]
#   fail_on: [client_tls]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1), SC-23]
#     mitre_attack_containers: [T1040, T1557]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, mesh]
#   covers:
#     networking.istio.io/v1/DestinationRule:
#       catalog: [K8S-TLS-001]
#       fix:
#         manifest: "spec.trafficPolicy.tls.mode: ISTIO_MUTUAL, or leave it out."
package policies.transit.k8s_mesh_client_tls

import rego.v1

scope contains p.id if {
	some p in input.resources.mesh_policy
	p.policy_type == "destination_rule"
	regex.match(`^kubernetes(?:\.default(?:\.svc(?:\.cluster\.local)?)?)?$`, p.host) == false
}

fail contains {
	"id": p.id, "fact": "client_tls", "expected": "no DISABLE", "actual": t,
	"message": trim_space(sprintf("clients of %s are told to speak in clear %s", [p.host, t.where])),
} if {
	some p in input.resources.mesh_policy
	p.id in scope
	some t in p.client_tls
	t.mode == "DISABLE"
}
