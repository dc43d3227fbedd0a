# METADATA
# title: Pods meet the Pod Security level that their namespace enforces
# description: >-
#   Admission looks at pods when they are made: what ran before the label, and what an exemption lets through, stays.
#   Judged are the pod specs of all workloads of the namespace, in the version that its label names; where that is
#   latest, in the cluster's own, and for manifests in all that differ. A template that does not meet the level has old
#   pods, exempt ones or none. Exemptions of the admission plugin do not show in the API.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
#   - https://kubernetes.io/docs/concepts/security/pod-security-admission/
# custom:
#   severity: info
#   kind: namespace
#   scope_on: [pod_security_enforce]
#   fail_on: [pod_security_violations, pod_security_settled, pod_security_met]
#   controls:
#     cis_k8s_1.12: ["5.2.1"]
#     cis_gke_1.9: ["4.2.1"]
#     nist_800_53_r5: [CM-6, CA-7]
#     pci_dss_4: ["2.2.1"]
#     soc2: [CC7.1]
#   tags: [kubernetes, admission]
#   covers:
#     v1/Namespace:
#       catalog: [K8S-POD-023]
#       fix:
#         manifest: Bring the pod templates to the level, and roll the pods out again.
package policies.workload.pod_security_met

import rego.v1

ranks := {"privileged": 0, "baseline": 1, "restricted": 2}

scope contains n.id if {
	some n in input.resources.namespace
	n.pod_security_enforce in {"baseline", "restricted"}
}

safe contains n.id if {
	some n in input.resources.namespace
	n.id in scope
	n.pod_security_settled == true
	n.pod_security_violations == []
}

fail contains {
	"id": n.id, "fact": "pod_security_violations", "expected": n.pod_security_enforce, "actual": v,
	"message": sprintf("%s does not meet %s: %s", [v.workload, n.pod_security_enforce, concat(", ", v.violations)]),
} if {
	some n in input.resources.namespace
	n.id in scope
	some v in n.pod_security_violations
}

fail contains {
	"id": n.id, "fact": "pod_security_met", "expected": n.pod_security_enforce, "actual": n.pod_security_met,
	"message": sprintf("all its pods together meet %s only", [n.pod_security_met]),
} if {
	some n in input.resources.namespace
	n.id in scope
	ranks[n.pod_security_met] < ranks[n.pod_security_enforce]
}
