# METADATA
# title: Ingresses put no text of their own into the configuration of nginx
# description: >-
#   An annotation of ingress-nginx that ends in -snippet is configuration of the controller, which serves everybody and reads all
#   Secrets: it has to be let in for all Ingresses where one needs it. What the snippet says is not looked at, nor whether the
#   controller takes it.
# related_resources:
#   - https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#configuration-snippet
# custom:
#   severity: high
#   kind: endpoint
#   scope_on: [endpoint_type]
#   fail_on: [snippets]
#   controls:
#     nsa_cisa_1.2: [Upgrading and application security]
#     nist_800_53_r5: [SI-2, SA-22]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, ingress]
#   covers:
#     networking.k8s.io/v1/Ingress:
#       catalog: [K8S-NET-014]
#       fix:
#         manifest: Remove the annotation; say it by a route of the Gateway API.
package policies.exposure.k8s_ingress_snippets

import rego.v1

scope contains e.id if {
	some e in input.resources.endpoint
	e.endpoint_type == "ingress"
}

fail contains {
	"id": e.id, "fact": "snippets", "expected": [], "actual": [name],
	"message": sprintf("%s is configuration of nginx", [name]), "tag": name,
} if {
	some e in input.resources.endpoint
	e.id in scope
	some name in e.snippets
}
