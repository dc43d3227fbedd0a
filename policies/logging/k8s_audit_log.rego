# METADATA
# title: The API server keeps an audit log
# description: >-
#   Without it nobody can say who read a Secret or opened a shell in a training pod. It takes a sink and a policy.
#   `days` is how long files are kept at least; without --audit-log-maxage they are kept for as long as there is
#   room, which passes. Files that are dropped by number or size, and what becomes of them, are not judged.
#   logging.k8s_audit_policy judges what is recorded. Judged by the static pods of kube-system; where a provider
#   runs the control plane its own rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#   - https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/
# custom:
#   severity: high
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [audit_sinks, audit_policy, audit_days]
#   params:
#     days: 30
#   controls:
#     cis_k8s_1.12: ["1.2.16", "1.2.17", "1.2.18", "1.2.19"]
#     cis_eks_1.8: ["2.1.1", "2.1.2"]
#     cis_gke_1.9: ["5.7.1"]
#     cis_aks_1.8: ["2.1.1"]
#     nist_800_53_r5: [AU-2, AU-12, AU-11]
#     mitre_attack_containers: [T1562.001]
#     pci_dss_4: ["10.2.1", "10.5.1"]
#     soc2: [CC7.2]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-ADM-004]
#       fix:
#         manifest: "--audit-policy-file, --audit-log-path or --audit-webhook-config-file, --audit-log-maxage=30"
#     kubernetes/v1/Cluster: *same
package policies.logging.k8s_audit_log

import data.policies.lib.control_plane
import rego.v1

days := input.params["logging.k8s_audit_log"].days

exempt contains reason if {
	some c in input.resources.cluster
	reason := control_plane.exemption(c, c.api_server)
}

scope contains c.id if {
	some c in input.resources.cluster
	c.api_server == "here"
}

fail contains {
	"id": c.id, "fact": "audit_sinks", "expected": "a file or a webhook",
	"message": "it keeps no audit log",
} if {
	some c in input.resources.cluster
	c.id in scope
	count(c.audit_sinks) == 0
}

fail contains {
	"id": c.id, "fact": "audit_policy", "expected": true,
	"message": "without --audit-policy-file it records nothing",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.audit_policy == false
}

fail contains {
	"id": c.id, "fact": "audit_days", "expected": days,
	"message": sprintf("files of the audit log go after %d days", [c.audit_days]),
} if {
	some c in input.resources.cluster
	c.id in scope
	c.audit_days > 0
	c.audit_days < days
}
