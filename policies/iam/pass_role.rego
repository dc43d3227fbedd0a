# METADATA
# title: Identities may pass named roles only
# description: >-
#   Whoever may pass any role to a service runs a job as any role. Naming the roles, or a condition on
#   `iam:PassedToService`, passes. All policies of the identity count (inline, attached, and for users those of their
#   groups), as far as its permissions boundary lets them; a Deny without conditions in one policy takes back what
#   another allows. Organisation policies are not seen. Identities that may do everything are left to
#   `iam.admin_access`.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
# custom:
#   severity: high
#   kind: identity
#   scope_on: [service_linked, grants_admin]
#   fail_on: [pass_role_any]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.5.15, A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-004]
#       fix:
#         cli: >-
#           aws iam detach-role-policy --role-name ROLE --policy-arn ARN (an inline one: delete-role-policy --role-name ROLE
#           --policy-name NAME), and attach one that names actions and resources
#         terraform: aws_iam_role_policy_attachment of a policy that names actions and resources
#     AWS::IAM::User:
#       catalog: [AWS-IAM-004]
#       fix:
#         cli: >-
#           aws iam detach-user-policy --user-name USER --policy-arn ARN (an inline one: delete-user-policy --user-name USER
#           --policy-name NAME), and give the work a role
#         terraform: remove aws_iam_user_policy and aws_iam_user_policy_attachment
package policies.iam.pass_role

import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	identity.service_linked == false
	identity.grants_admin == false
}

fail contains {"id": identity.id, "fact": "pass_role_any", "expected": false, "message": "may pass any role to any service (iam:PassRole)"} if {
	some identity in input.resources.identity
	identity.id in scope
	identity.pass_role_any == true
}
