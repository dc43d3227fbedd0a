# METADATA
# title: Managed policies name what they allow
# description: >-
#   An Allow with NotAction or NotResource grants every service that AWS will ever add. In a Deny they are good practice
#   and are not held against anyone. Resource policies (NotPrincipal) are not judged here. Customer-managed policies
#   that are attached somewhere are judged, by their version in force; what attached policies of AWS's own grant shows
#   at the identities that have them.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
# custom:
#   severity: medium
#   kind: permission_set
#   scope_on: [system, attachments]
#   fail_on: [uses_negation]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.5.15]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::IAM::ManagedPolicy:
#       catalog: [AWS-IAM-005]
#       fix:
#         cli: aws iam create-policy-version --policy-arn ARN --policy-document file://policy.json --set-as-default
#         terraform: aws_iam_policy with actions and resources named
package policies.iam.policy_negation

import rego.v1

scope contains policy.id if {
	some policy in input.resources.permission_set
	policy.system == false
	policy.attachments > 0
}

fail contains {"id": policy.id, "fact": "uses_negation", "expected": false, "message": "an Allow names what it leaves out (NotAction, NotResource), not what it allows"} if {
	some policy in input.resources.permission_set
	policy.id in scope
	policy.uses_negation == true
}
