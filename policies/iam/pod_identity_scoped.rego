# METADATA
# title: Roles of EKS Pod Identity are pinned to their cluster or namespace, and serve one namespace
# description: >-
#   A role that trusts pods.eks.amazonaws.com and says no more may be given to any service account of any cluster in the
#   account by whoever may make associations. A condition on the source's account or organisation, or on one of the tags
#   that Pod Identity sends (aws:RequestTag/eks-cluster-arn, kubernetes-namespace, kubernetes-service-account), pins it; one
#   that a request without tags meets as well (IfExists) does not. A role for several namespaces lets one team act as
#   another. What the target role in another account trusts, and roles without an association, are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/pod-id-role.html
#   - https://docs.aws.amazon.com/eks/latest/userguide/pod-id-abac.html
# custom:
#   severity: medium
#   kind: grant
#   scope_on: []
#   fail_on: [identity_pinned, identity_namespaces]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.5.15]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::EKS::PodIdentityAssociation:
#       catalog: [AWS-IAM-009]
#       fix:
#         cli: >-
#           aws iam update-assume-role-policy --role-name ROLE --policy-document file://trust.json (StringEquals on
#           aws:SourceAccount, aws:RequestTag/eks-cluster-arn and aws:RequestTag/kubernetes-namespace; keep sts:TagSession), and
#           make a role for each namespace
#         terraform: >-
#           condition { test = "StringEquals", variable = "aws:RequestTag/kubernetes-namespace", values = ["NAMESPACE"] } in the
#           role's assume_role_policy
package policies.iam.pod_identity_scoped

import rego.v1

scope contains grant.id if some grant in input.resources.grant

fail contains {
	"id": grant.id, "fact": "identity_pinned", "expected": true, "tag": "trust",
	"message": "pods of any namespace and cluster may be given its role: the trust policy pins nothing",
} if {
	some grant in input.resources.grant
	grant.identity_pinned == false
}

fail contains {
	"id": grant.id, "fact": "identity_namespaces", "expected": "one namespace", "tag": "shared",
	"message": sprintf("its role serves several namespaces: %s", [concat(", ", sort(grant.identity_namespaces))]),
} if {
	some grant in input.resources.grant
	count(grant.identity_namespaces) > 1
}
