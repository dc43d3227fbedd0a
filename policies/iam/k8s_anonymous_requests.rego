# METADATA
# title: The API server lets in no anonymous requests but to probes
# description: >-
#   Whatever is bound to system:anonymous or system:unauthenticated is open to the network. It is on by default, and
#   kubeadm's own probes need /livez: an AuthenticationConfiguration with conditions lets in those paths alone,
#   which passes. Which paths they are is not judged. Judged by the static pods of kube-system; where a provider
#   runs the control plane its own rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#   - https://kubernetes.io/docs/reference/access-authn-authz/authentication/#anonymous-authenticator-configuration
# custom:
#   severity: medium
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [anonymous_requests]
#   controls:
#     cis_k8s_1.12: ["1.2.1"]
#     nist_800_53_r5: [AC-3, IA-2]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["8.2.1", "7.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-NODE-008]
#       fix:
#         manifest: "--authentication-config with anonymous: {enabled: true, conditions: [{path: /livez}, {path: /readyz}, {path: /healthz}]}"
#     kubernetes/v1/Cluster: *same
#     apiserver.config.k8s.io/v1/AuthenticationConfiguration: *same
package policies.iam.k8s_anonymous_requests

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
	"id": c.id, "fact": "anonymous_requests", "expected": "off, or on certain paths",
	"message": "requests without credentials are let in everywhere",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.anonymous_requests == "on"
}
