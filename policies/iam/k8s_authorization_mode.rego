# METADATA
# title: The API server authorizes requests by Node and RBAC
# description: >-
#   AlwaysAllow, the default where nothing is said, lets everyone do everything. Without RBAC no role holds, without
#   Node every kubelet may read every Secret. --authorization-config stands in place of the flag; where its file was
#   not collected, it is unknown. What a webhook or ABAC decides is not judged. Judged by the static pods of
#   kube-system; where a provider runs the control plane its own rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#   - https://kubernetes.io/docs/reference/access-authn-authz/authorization/
# custom:
#   severity: critical
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [authorization_modes]
#   controls:
#     cis_k8s_1.12: ["1.2.6", "1.2.7", "1.2.8"]
#     nist_800_53_r5: [AC-3, IA-2]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["8.2.1", "7.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-NODE-008]
#       fix:
#         manifest: "--authorization-mode=Node,RBAC"
#     kubernetes/v1/Cluster: *same
#     apiserver.config.k8s.io/v1/AuthorizationConfiguration: *same
package policies.iam.k8s_authorization_mode

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
	"id": c.id, "fact": "authorization_modes", "expected": "no AlwaysAllow",
	"message": "everyone may do everything (AlwaysAllow)",
} if {
	some c in input.resources.cluster
	c.id in scope
	"AlwaysAllow" in c.authorization_modes
}

fail contains {
	"id": c.id, "fact": "authorization_modes", "expected": ["Node", "RBAC"],
	"message": sprintf("requests are not authorized by %s", [concat(" and ", sort(missing))]),
} if {
	some c in input.resources.cluster
	c.id in scope
	modes := c.authorization_modes
	missing := {"Node", "RBAC"} - {m | some m in modes}
	count(missing) > 0
}
