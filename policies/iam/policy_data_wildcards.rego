# METADATA
# title: No managed policy allows all of a data service
# description: >-
#   `s3:*`, `kms:*`, `sagemaker:*`, `bedrock:*` and their like over every resource make an administrator of the data; so
#   does `kms:Decrypt` or `kms:ReEncryptFrom` alone. ARNs that name no account (`arn:aws:s3:::*`) are every resource;
#   one account's own, and conditions that narrow the resource (its account, organisation or tags), count as narrowed.
#   Customer-managed policies that are attached somewhere are judged, by their version in force; what attached policies
#   of AWS's own grant shows at the identities that have them. Policies that allow everything are left to
#   `iam.policy_admin_access`.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege
# custom:
#   severity: high
#   kind: permission_set
#   scope_on: [system, attachments, grants_admin]
#   fail_on: [data_wildcards]
#   controls:
#     nist_800_53_r5: [AC-2, AC-2(1), AC-3, AC-3(7), AC-3(15), AC-5, AC-6, AC-6(2), AC-6(3), AC-6(10)]
#     iso_27001_2022: [A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.1, 7.2.2, 7.2.3, 7.2.5, 7.3.1, 7.3.2, 7.3.3]
#     mitre_atlas: [AML.T0035, AML.T0036]
#   covers:
#     AWS::IAM::ManagedPolicy:
#       catalog: [AWS-IAM-002]
#       controls:
#         aws_fsbp: [IAM.21, KMS.1, KMS.2]
#       fix:
#         cli: aws iam create-policy-version --policy-arn ARN --policy-document file://policy.json --set-as-default
#         terraform: aws_iam_policy with actions and resources named
package policies.iam.policy_data_wildcards

import rego.v1

scope contains policy.id if {
	some policy in input.resources.permission_set
	policy.system == false
	policy.attachments > 0
	policy.grants_admin == false
}

fail contains {"id": policy.id, "fact": "data_wildcards", "expected": [], "message": sprintf("may do everything with every resource of %s", [concat(", ", sort(policy.data_wildcards))])} if {
	some policy in input.resources.permission_set
	policy.id in scope
	count(policy.data_wildcards) > 0
}
