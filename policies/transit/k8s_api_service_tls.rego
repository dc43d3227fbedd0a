# METADATA
# title: The API server verifies the servers behind it
# description: >-
#   Requests that go on to an aggregated API carry who asks: whoever stands between takes the answer's place.
#   `allowed` names API services that may go without, metrics-server's own by default: its data is of little worth.
#   Webhooks always speak TLS: the API takes no other URL.
# related_resources:
#   - https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/
#   - https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/api-service-v1/
# custom:
#   severity: medium
#   kind: endpoint
#   scope_on: [local]
#   fail_on: [tls_verified]
#   params:
#     allowed: ["v1beta1.metrics.k8s.io"]
#   controls:
#     nist_800_53_r5: [SC-8]
#     mitre_attack_containers: [T1557]
#     soc2: [CC6.7]
#   tags: [kubernetes, api]
#   covers:
#     apiregistration.k8s.io/v1/APIService:
#       catalog: [K8S-TLS-011]
#       fix:
#         manifest: "Set caBundle and remove insecureSkipTLSVerify; cert-manager's cainjector fills it."
package policies.transit.k8s_api_service_tls

import rego.v1

allowed := {name | some name in input.params["transit.k8s_api_service_tls"].allowed}

exempt contains {"id": e.id, "reason": "allowed by the configuration"} if {
	some e in input.resources.endpoint
	e.local == false
	e.name in allowed
}

scope contains e.id if {
	some e in input.resources.endpoint
	e.local == false
}

fail contains {
	"id": e.id, "fact": "tls_verified", "expected": true,
	"message": "the certificate of the server behind it is not verified (insecureSkipTLSVerify)",
} if {
	some e in input.resources.endpoint
	e.id in scope
	e.tls_verified == false
}
