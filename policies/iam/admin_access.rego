# METADATA
# title: No identity may do everything
# description: >-
#   One over-privileged identity reads all training data. A policy allows everything where it allows every action on
#   every resource, or by exception (NotAction) leaves in the actions of IAM with which it gives itself the rest; a
#   condition on who asks, such as MFA, does not make it less. Patterns that only together make every action are not
#   added up. All policies of the identity count (inline, attached, and for users those of their groups), as far as its
#   permissions boundary lets them; a Deny without conditions in one policy takes back what another allows. Organisation
#   policies are not seen. Permission sets of IAM Identity Center are exempt; list break-glass identities in
#   `break_glass`, by name.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
# custom:
#   severity: critical
#   kind: identity
#   scope_on: [service_linked]
#   fail_on: [grants_admin]
#   params:
#     break_glass: []
#   controls:
#     nist_800_53_r5: [AC-2, AC-2(1), AC-3, AC-3(7), AC-3(15), AC-5, AC-6, AC-6(2), AC-6(3), AC-6(10)]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.4, 3.1.5, 3.1.6, 3.1.7, 3.4.6, 3.13.3]
#     iso_27001_2022: [A.5.18, A.8.2]
#     soc2: [CC1.3, CC6.3]
#     pci_dss_4: [7.2.2]
#     mitre_atlas: [AML.T0012]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-001]
#       controls:
#         aws_fsbp: [IAM.1]
#         cis_aws_3.0.0: ["1.16"]
#         cis_aws_5.0.0: ["1.15"]
#         cis_aws_7.0.0: ["2.14"]
#       fix:
#         cli: >-
#           aws iam detach-role-policy --role-name ROLE --policy-arn ARN (an inline one: delete-role-policy --role-name ROLE
#           --policy-name NAME), and attach one that names actions and resources
#         terraform: aws_iam_role_policy_attachment of a policy that names actions and resources
#     AWS::IAM::User:
#       catalog: [AWS-IAM-001]
#       controls:
#         aws_fsbp: [IAM.1]
#         cis_aws_3.0.0: ["1.16"]
#         cis_aws_5.0.0: ["1.15"]
#         cis_aws_7.0.0: ["2.14"]
#       fix:
#         cli: >-
#           aws iam detach-user-policy --user-name USER --policy-arn ARN (an inline one: delete-user-policy --user-name USER
#           --policy-name NAME), and give the work a role
#         terraform: remove aws_iam_user_policy and aws_iam_user_policy_attachment
package policies.iam.admin_access

import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	identity.service_linked == false
}

fail contains {"id": identity.id, "fact": "grants_admin", "expected": false, "message": "may do every action on every resource"} if {
	some identity in input.resources.identity
	identity.id in scope
	identity.grants_admin == true
}

# Permission sets of IAM Identity Center live under a path that only it may use.
exempt contains {"id": identity.id, "reason": "a permission set of IAM Identity Center, which grants it for a session"} if {
	some identity in input.resources.identity
	contains(identity.id, ":role/aws-reserved/sso.amazonaws.com/")
}

exempt contains {"id": identity.id, "reason": "a break-glass identity (break_glass)"} if {
	some identity in input.resources.identity
	some name in input.params["iam.admin_access"].break_glass
	identity.name == name
}
