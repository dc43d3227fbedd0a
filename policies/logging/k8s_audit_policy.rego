# METADATA
# title: The audit policy records what matters, and no secret values
# description: >-
#   Reads of Secrets, shells in pods, changes of roles, token reviews: at least Metadata, and for Secrets,
#   ConfigMaps and token reviews no more, since bodies hold the values. The first rule that matches decides. Asked
#   for people and service accounts in namespaces and with names that no rule mentions: what is left out for single
#   users, groups or namespaces is not judged. A file that was not collected is unknown. Judged by the static pods
#   of kube-system; where a provider runs the control plane its own rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/#audit-policy
#   - https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/
# custom:
#   severity: high
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [audit_levels]
#   controls:
#     cis_k8s_1.12: ["3.2.1", "3.2.2"]
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
#         manifest: "rules: level Metadata for secrets, configmaps and tokenreviews; RequestResponse for roles and bindings, Request for pods/exec; last of all level: Metadata."
#     kubernetes/v1/Cluster: *same
#     audit.k8s.io/v1/Policy: *same
package policies.logging.k8s_audit_policy

import data.policies.lib.control_plane
import rego.v1

sensitive := {"secrets", "configmaps", "tokenreviews"}

exempt contains reason if {
	some c in input.resources.cluster
	reason := control_plane.exemption(c, c.api_server)
}

scope contains c.id if {
	some c in input.resources.cluster
	c.api_server == "here"
}

fail contains {
	"id": c.id, "fact": "audit_levels", "expected": "Metadata or more", "actual": found,
	"message": sprintf("requests for %s leave no trace", [found.of]),
} if {
	some c in input.resources.cluster
	c.id in scope
	some found in c.audit_levels
	found.lowest == "None"
}

fail contains {
	"id": c.id, "fact": "audit_levels", "expected": "Metadata", "actual": found,
	"message": sprintf("values of %s are written into the log", [found.of]),
} if {
	some c in input.resources.cluster
	c.id in scope
	some found in c.audit_levels
	found.of in sensitive
	found.highest in {"Request", "RequestResponse"}
}
