# METADATA
# title: No client certificate is asked for with the group system:masters
# description: >-
#   A client certificate whose subject names the organisation system:masters makes its holder master of the cluster
#   until it ends: it cannot be revoked. The admission plugin CertificateSubjectRestriction refuses such requests where
#   it is on. Signed requests vanish from the API after an hour, so old ones are not seen.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/
#   - https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#certificatesubjectrestriction
# custom:
#   severity: medium
#   kind: credential
#   scope_on: [signer]
#   fail_on: [requested_groups]
#   controls:
#     nist_800_53_r5: [AC-2, AC-6]
#     mitre_attack_containers: [T1078]
#     pci_dss_4: ["7.2.2", "8.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     certificates.k8s.io/v1/CertificateSigningRequest:
#       catalog: [K8S-RBAC-017]
#       fix:
#         cli: kubectl certificate deny NAME
package policies.iam.k8s_masters_requested

import rego.v1

scope contains c.id if {
	some c in input.resources.credential
	c.signer == "kubernetes.io/kube-apiserver-client"
}

fail contains {
	"id": c.id, "fact": "requested_groups", "expected": "a group of your own", "actual": "system:masters",
	"message": "asks for a client certificate of system:masters",
} if {
	some c in input.resources.credential
	c.id in scope
	"system:masters" in c.requested_groups
}
