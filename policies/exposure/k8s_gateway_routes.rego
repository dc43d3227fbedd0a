# METADATA
# title: Shared gateways let only chosen namespaces attach routes
# description: >-
#   Where routes of every namespace may attach to a listener that is for any host, a tenant takes requests that are meant for
#   another. Routes of the own namespace alone may attach unless a listener says otherwise; a selector without conditions selects
#   every namespace. Asked where several tenants share the cluster. Listeners with a host, and the hosts of Istio Gateways, are not
#   judged.
# related_resources:
#   - https://gateway-api.sigs.k8s.io/guides/multiple-ns/
# custom:
#   severity: medium
#   kind: endpoint
#   scope_on: [endpoint_type, several_tenants]
#   fail_on: [gateway_listeners]
#   controls:
#     nist_800_53_r5: [AC-4]
#     mitre_attack_containers: [T1557]
#     soc2: [CC6.6]
#   tags: [kubernetes, tenancy]
#   covers:
#     gateway.networking.k8s.io/v1/Gateway:
#       catalog: [K8S-MT-005]
#       fix:
#         manifest: "allowedRoutes.namespaces.from: Selector, or a hostname for each tenant."
package policies.exposure.k8s_gateway_routes

import rego.v1

scope contains e.id if {
	some e in input.resources.endpoint
	e.endpoint_type == "gateway"
	e.several_tenants == true
}

fail contains {
	"id": e.id, "fact": "gateway_listeners", "expected": "Selector", "actual": "All",
	"message": sprintf("routes of every namespace may take any host of %s", [listener.name]), "tag": listener.name,
} if {
	some e in input.resources.endpoint
	e.id in scope
	some listener in e.gateway_listeners
	listener.from == "All"
	listener.hostname == ""
}
