# METADATA
# title: Managed policies allow named roles only to be passed
# description: >-
#   Whoever may pass any role to a service runs a job as any role. Naming the roles, or a condition on
#   `iam:PassedToService`, passes. Customer-managed policies that are attached somewhere are judged, by their version in
#   force; what attached policies of AWS's own grant shows at the identities that have them. Policies that allow
#   everything are left to `iam.policy_admin_access`.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
# custom:
#   severity: high
#   kind: permission_set
#   scope_on: [system, attachments, grants_admin]
#   fail_on: [pass_role_any]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.5.15, A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::IAM::ManagedPolicy:
#       catalog: [AWS-IAM-004]
#       fix:
#         cli: aws iam create-policy-version --policy-arn ARN --policy-document file://policy.json --set-as-default
#         terraform: aws_iam_policy with actions and resources named
package policies.iam.policy_pass_role

import rego.v1

scope contains policy.id if {
	some policy in input.resources.permission_set
	policy.system == false
	policy.attachments > 0
	policy.grants_admin == false
}

fail contains {"id": policy.id, "fact": "pass_role_any", "expected": false, "message": "may pass any role to any service (iam:PassRole)"} if {
	some policy in input.resources.permission_set
	policy.id in scope
	policy.pass_role_any == true
}
