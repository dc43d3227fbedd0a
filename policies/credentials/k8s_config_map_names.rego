# METADATA
# title: No entry of a ConfigMap is called like a secret
# description: >-
#   An entry whose name says that it is a secret mostly is one, whatever it looks like. Switches, numbers, paths and
#   placeholders do not count. What values show is reported apart, as high.
# related_resources:
#   - https://kubernetes.io/docs/concepts/configuration/configmap/
# custom:
#   severity: low
#   kind: configuration
#   scope_on: [configuration_type]
#   fail_on: [credentials]
#   controls:
#     cis_k8s_1.12: ["5.4.1"]
#     nsa_cisa_1.2: [Protecting sensitive data]
#     nist_800_53_r5: [IA-5(7), SC-28]
#     mitre_attack_containers: [T1552.001]
#     pci_dss_4: ["8.6.2"]
#     soc2: [CC6.1]
#   tags: [kubernetes, secrets]
#   covers:
#     v1/ConfigMap:
#       catalog: [K8S-CRED-005]
#       fix:
#         manifest: Move it to a Secret or an external store, take it from there, and replace what stood here.
package policies.credentials.k8s_config_map_names

import rego.v1

scope contains m.id if {
	some m in input.resources.configuration
	m.configuration_type == "config_map"
}

fail contains {
	"id": m.id, "fact": "credentials", "expected": "none", "actual": c,
	"message": sprintf("%s is %s", [c.key, c.kind]),
} if {
	some m in input.resources.configuration
	m.id in scope
	some c in m.credentials
	c.kind == "called like a secret"
}
