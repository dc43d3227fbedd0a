# METADATA
# title: Gateways serve nothing without TLS but redirects to it
# description: >-
#   Over a listener without TLS, prompts and tokens travel in clear. A listener of the Gateway API fails by a route that is attached
#   to it (parent, listener, host, kind and namespace agree) and does more than redirect to https or answer the challenges of
#   certificate authorities. A server of an Istio Gateway fails unless it redirects, or every VirtualService that is bound to it
#   does; streams without TLS fail. Passthrough counts as TLS: what the backend speaks is not seen, nor are ListenerSets and
#   listeners of UDP.
# related_resources:
#   - https://gateway-api.sigs.k8s.io/guides/http-redirect-rewrite/
#   - https://istio.io/latest/docs/reference/config/networking/gateway/#ServerTLSSettings
# custom:
#   severity: high
#   kind: endpoint
#   scope_on: [endpoint_type]
#   fail_on: [clear_listeners, clear_listeners_settled]
#   controls:
#     cis_gke_1.9: ["5.6.7"]
#     nist_800_53_r5: [SC-8, SC-8(1)]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, tls]
#   covers:
#     gateway.networking.k8s.io/v1/Gateway: &same
#       catalog: [K8S-NET-013]
#       fix:
#         manifest: An HTTPS listener, and a redirect to https (httpsRedirect of Istio) on the one without.
#     networking.istio.io/v1/Gateway: *same
package policies.transit.k8s_gateway_tls

import rego.v1

scope contains e.id if {
	some e in input.resources.endpoint
	e.endpoint_type == "gateway"
}

fail contains {
	"id": e.id, "fact": "clear_listeners", "expected": [], "actual": [listener],
	"message": sprintf("%s on port %d serves in clear (%s)", [listener.name, listener.port, listener.protocol]),
	"tag": sprintf("%s %d", [listener.name, listener.port]),
} if {
	some e in input.resources.endpoint
	e.id in scope
	some listener in e.clear_listeners
}
