# METADATA
# title: No identity has all of a data service
# description: >-
#   `s3:*`, `kms:*`, `sagemaker:*`, `bedrock:*` and their like over every resource make an administrator of the data; so
#   does `kms:Decrypt` or `kms:ReEncryptFrom` alone. ARNs that name no account (`arn:aws:s3:::*`) are every resource;
#   one account's own, and conditions that narrow the resource (its account, organisation or tags), count as narrowed.
#   All policies of the identity count (inline, attached, and for users those of their groups), as far as its
#   permissions boundary lets them; a Deny without conditions in one policy takes back what another allows. Organisation
#   policies are not seen. Identities that may do everything are left to `iam.admin_access`.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
# custom:
#   severity: high
#   kind: identity
#   scope_on: [service_linked, grants_admin]
#   fail_on: [data_wildcards]
#   controls:
#     nist_800_53_r5: [AC-2, AC-2(1), AC-3, AC-3(7), AC-3(15), AC-5, AC-6, AC-6(2), AC-6(3), AC-6(10)]
#     iso_27001_2022: [A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.1, 7.2.2, 7.2.3, 7.2.5, 7.3.1, 7.3.2, 7.3.3]
#     mitre_atlas: [AML.T0035, AML.T0036]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-002]
#       controls:
#         aws_fsbp: [IAM.21, KMS.1, KMS.2]
#       fix:
#         cli: >-
#           aws iam detach-role-policy --role-name ROLE --policy-arn ARN (an inline one: delete-role-policy --role-name ROLE
#           --policy-name NAME), and attach one that names actions and resources
#         terraform: aws_iam_role_policy_attachment of a policy that names actions and resources
#     AWS::IAM::User:
#       catalog: [AWS-IAM-002]
#       controls:
#         aws_fsbp: [IAM.21, KMS.1, KMS.2]
#       fix:
#         cli: >-
#           aws iam detach-user-policy --user-name USER --policy-arn ARN (an inline one: delete-user-policy --user-name USER
#           --policy-name NAME), and give the work a role
#         terraform: remove aws_iam_user_policy and aws_iam_user_policy_attachment
package policies.iam.data_wildcards

import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	identity.service_linked == false
	identity.grants_admin == false
}

fail contains {"id": identity.id, "fact": "data_wildcards", "expected": [], "message": sprintf("may do everything with every resource of %s", [concat(", ", sort(identity.data_wildcards))])} if {
	some identity in input.resources.identity
	identity.id in scope
	count(identity.data_wildcards) > 0
}
