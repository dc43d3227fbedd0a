# METADATA
# title: No admission plugin that guards the cluster is off
# description: >-
#   NodeRestriction keeps a kubelet to its own node and is off by default; what is on by default guards namespaces,
#   accounts, pod security and webhooks. AlwaysAdmit is the absence of all. What plugins are told is not judged.
#   Judged by the static pods of kube-system; where a provider runs the control plane its own rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/
# custom:
#   severity: high
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [admission_enabled, admission_disabled]
#   controls:
#     cis_k8s_1.12: ["1.2.9", "1.2.10", "1.2.12", "1.2.13", "1.2.14"]
#     nist_800_53_r5: [CM-6]
#     mitre_attack_containers: [T1078]
#     soc2: [CC8.1]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-ADM-005]
#       fix:
#         manifest: "--enable-admission-plugins=NodeRestriction, without --disable-admission-plugins."
#     kubernetes/v1/Cluster: *same
package policies.iam.k8s_admission_plugins

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
	"id": c.id, "fact": "admission_enabled", "expected": "NodeRestriction",
	"message": "NodeRestriction is off: a kubelet may change other nodes and their pods",
} if {
	some c in input.resources.cluster
	c.id in scope
	enabled := c.admission_enabled
	count({p | some p in enabled} & {"NodeRestriction"}) == 0
}

fail contains {
	"id": c.id, "fact": "admission_enabled", "expected": "no AlwaysAdmit",
	"message": "AlwaysAdmit is on",
} if {
	some c in input.resources.cluster
	c.id in scope
	"AlwaysAdmit" in c.admission_enabled
}

fail contains {
	"id": c.id, "fact": "admission_disabled", "expected": [], "actual": off,
	"message": sprintf("turned off: %s", [concat(", ", off)]),
} if {
	some c in input.resources.cluster
	c.id in scope
	disabled := c.admission_disabled
	off := sort({p | some p in disabled} & control_plane.guards)
	count(off) > 0
}
