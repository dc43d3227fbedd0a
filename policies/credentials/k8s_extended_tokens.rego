# METADATA
# title: The API server ends service account tokens after an hour
# description: >-
#   By default it lets the tokens that pods get live for a year, for clients that never read them again: what a pod
#   leaks stays a key. Metrics (serviceaccount_stale_tokens_total) tell whether such clients are left. Judged by the
#   static pods of kube-system; where a provider runs the control plane its own rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#   - https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-tokens
# custom:
#   severity: medium
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [extends_tokens]
#   controls:
#     cis_k8s_1.12: ["1.2.30"]
#     nist_800_53_r5: [IA-5]
#     mitre_attack_containers: [T1528]
#     pci_dss_4: ["8.6.3"]
#     soc2: [CC6.1]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-CRED-010]
#       fix:
#         manifest: "--service-account-extend-token-expiration=false, once serviceaccount_stale_tokens_total stays at zero."
#     kubernetes/v1/Cluster: *same
package policies.credentials.k8s_extended_tokens

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

fail contains {
	"id": c.id, "fact": "extends_tokens", "expected": false,
	"message": "tokens of pods live for a year",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.extends_tokens == true
}
