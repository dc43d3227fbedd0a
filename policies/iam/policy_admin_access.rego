# METADATA
# title: No managed policy allows everything
# description: >-
#   One over-privileged identity reads all training data. A policy allows everything where it allows every action on
#   every resource, or by exception (NotAction) leaves in the actions of IAM with which it gives itself the rest; a
#   condition on who asks, such as MFA, does not make it less. Patterns that only together make every action are not
#   added up. Customer-managed policies that are attached somewhere are judged, by their version in force; what attached
#   policies of AWS's own grant shows at the identities that have them.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
# custom:
#   severity: critical
#   kind: permission_set
#   scope_on: [system, attachments]
#   fail_on: [grants_admin]
#   controls:
#     nist_800_53_r5: [AC-2, AC-2(1), AC-3, AC-3(7), AC-3(15), AC-5, AC-6, AC-6(2), AC-6(3), AC-6(10)]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.4, 3.1.5, 3.1.6, 3.1.7, 3.4.6, 3.13.3]
#     iso_27001_2022: [A.5.18, A.8.2]
#     soc2: [CC1.3, CC6.3]
#     pci_dss_4: [7.2.2]
#     mitre_atlas: [AML.T0012]
#   covers:
#     AWS::IAM::ManagedPolicy:
#       catalog: [AWS-IAM-001]
#       controls:
#         aws_fsbp: [IAM.1]
#         cis_aws_3.0.0: ["1.16"]
#         cis_aws_5.0.0: ["1.15"]
#         cis_aws_7.0.0: ["2.14"]
#       fix:
#         cli: aws iam create-policy-version --policy-arn ARN --policy-document file://policy.json --set-as-default
#         terraform: aws_iam_policy with actions and resources named
package policies.iam.policy_admin_access

import rego.v1

scope contains policy.id if {
	some policy in input.resources.permission_set
	policy.system == false
	policy.attachments > 0
}

fail contains {"id": policy.id, "fact": "grants_admin", "expected": false, "message": "may do every action on every resource"} if {
	some policy in input.resources.permission_set
	policy.id in scope
	policy.grants_admin == true
}
