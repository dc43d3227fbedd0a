# METADATA
# title: Roles of service accounts pin namespace, name and audience
# description: >-
#   Without the subject every pod of the cluster may take the training role, and with a wildcard for the namespace every
#   namespace may. Tokens for another audience than STS, such as those for the API server, are in every pod. A wildcard
#   for the name inside one namespace passes. Whether the issuer belongs to a cluster that still exists is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html
# custom:
#   severity: high
#   kind: identity
#   scope_on: [trust_oidc]
#   fail_on: [trust_oidc]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6, IA-2]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.5.15, A.8.2]
#     soc2: [CC6.1, CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-008]
#       fix:
#         cli: >-
#           aws iam update-assume-role-policy --role-name ROLE --policy-document file://trust.json (StringEquals on
#           ISSUER:sub = system:serviceaccount:NAMESPACE:NAME and ISSUER:aud = sts.amazonaws.com)
#         terraform: >-
#           condition { test = "StringEquals", variable = "ISSUER:sub", values = ["system:serviceaccount:NAMESPACE:NAME"] },
#           and one for :aud
package policies.iam.irsa_pinned

import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	some provider in identity.trust_oidc
	provider.provider_type == "kubernetes"
}

fail contains {
	"id": identity.id, "fact": "trust_oidc", "expected": "namespace and service account pinned",
	"message": sprintf("%s: any service account may assume the role, the namespace is not pinned", [provider.provider]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	some provider in identity.trust_oidc
	provider.provider_type == "kubernetes"
	provider.subject in {"any", "organization"}
}

fail contains {
	"id": identity.id, "fact": "trust_oidc", "expected": "the audience pinned",
	"message": sprintf("%s: the trust policy does not pin the audience (aud) to that of STS", [provider.provider]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	some provider in identity.trust_oidc
	provider.provider_type == "kubernetes"
	provider.audience == false
}
