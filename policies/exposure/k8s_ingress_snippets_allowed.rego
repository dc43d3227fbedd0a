# METADATA
# title: ingress-nginx takes no snippets from annotations
# description: >-
#   With allow-snippet-annotations whoever may write an Ingress writes configuration of nginx, and reads every Secret that the
#   controller can (CVE-2021-25742). Annotations above annotations-risk-level are refused all the same, and snippets are Critical.
#   Where the ConfigMap says nothing, releases before 1.9 take them. ConfigMaps are known by the names that the manifests, the Helm
#   chart, RKE2 and MicroK8s give them.
# related_resources:
#   - https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/configmap/#allow-snippet-annotations
#   - https://github.com/kubernetes/ingress-nginx/issues/7837
# custom:
#   severity: high
#   kind: configuration
#   scope_on: [settings]
#   fail_on: [snippets_allowed]
#   controls:
#     nsa_cisa_1.2: [Upgrading and application security]
#     nist_800_53_r5: [SI-2, SA-22]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, ingress]
#   covers:
#     v1/ConfigMap:
#       catalog: [K8S-NET-014]
#       fix:
#         manifest: 'allow-snippet-annotations: "false"'
package policies.exposure.k8s_ingress_snippets_allowed

import rego.v1

scope contains c.id if {
	some c in input.resources.configuration
	c.settings.component == "ingress-nginx"
}

fail contains {
	"id": c.id, "fact": "snippets_allowed", "expected": false,
	"message": "it lets annotations put text of their own into the configuration of nginx",
} if {
	some c in input.resources.configuration
	c.id in scope
	c.snippets_allowed == true
}
