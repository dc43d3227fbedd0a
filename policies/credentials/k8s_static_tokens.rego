# METADATA
# title: The API server takes no tokens from a file and refuses those of deleted accounts
# description: >-
#   Tokens of a file never end, stand on the disk in clear, and change only with a restart. Without the lookup a
#   service account's token goes on after its account is gone. Judged by the static pods of kube-system; where a
#   provider runs the control plane its own rules judge it. Bootstrap tokens and client certificates are not judged.
# related_resources:
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#   - https://kubernetes.io/docs/reference/access-authn-authz/authentication/#static-token-file
# custom:
#   severity: critical
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [static_tokens, token_lookup]
#   controls:
#     cis_k8s_1.12: ["1.2.2", "1.2.21"]
#     nist_800_53_r5: [AC-3, IA-2]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["8.2.1", "7.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-NODE-008]
#       fix:
#         manifest: "Remove --token-auth-file; let people sign in by OIDC. Remove --service-account-lookup=false."
#     kubernetes/v1/Cluster: *same
package policies.credentials.k8s_static_tokens

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
	"id": c.id, "fact": "static_tokens", "expected": false,
	"message": "it takes tokens from a file (--token-auth-file)",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.static_tokens == true
}

fail contains {
	"id": c.id, "fact": "token_lookup", "expected": true,
	"message": "tokens of deleted service accounts go on (--service-account-lookup=false)",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.token_lookup == false
}
