# METADATA
# title: Namespaces enforce a Pod Security level
# description: >-
#   Without the enforce label nothing stops a privileged pod tomorrow; warn and audit alone do not. kube-system, kube-
#   public and kube-node-lease are not judged. A cluster-wide default of the admission plugin, and other policy engines,
#   are not seen: waive the namespaces that they guard.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-admission/
# custom:
#   severity: medium
#   kind: namespace
#   scope_on: [system]
#   fail_on: [pod_security_enforce]
#   controls:
#     cis_k8s_1.12: ["5.2.1"]
#     cis_gke_1.9: ["4.2.1"]
#     nist_800_53_r5: [CM-6, AC-3]
#     mitre_attack_containers: [T1610, T1611]
#     pci_dss_4: ["2.2.1"]
#     soc2: [CC8.1]
#   tags: [kubernetes, admission]
#   covers:
#     v1/Namespace:
#       catalog: [K8S-ADM-001]
#       fix:
#         cli: kubectl label namespace NAME pod-security.kubernetes.io/enforce=baseline
#         manifest: "metadata.labels: {pod-security.kubernetes.io/enforce: restricted}"
package policies.workload.pod_security

import rego.v1

scope contains n.id if {
	some n in input.resources.namespace
	n.system == false
}

fail contains {
	"id": n.id, "fact": "pod_security_enforce", "expected": "baseline or restricted",
	"message": {"none": "enforces no Pod Security level", "privileged": "enforces the level privileged, which allows everything"}[n.pod_security_enforce],
} if {
	some n in input.resources.namespace
	n.id in scope
	n.pod_security_enforce in {"none", "privileged"}
}
