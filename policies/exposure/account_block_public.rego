# METADATA
# title: The account blocks public access to its buckets
# description: >-
#   One switch of four parts protects every bucket of datasets and checkpoints, those that come later included. An
#   organisation's policy that enforces it shows here as if the account had set it only where S3 reports it.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
# custom:
#   severity: critical
#   kind: account
#   scope_on: []
#   fail_on: [block_public_acls, ignore_public_acls, block_public_policy, restrict_public_buckets]
#   controls:
#     nist_800_53_r5: [
#       AC-3, AC-3(7), AC-4, AC-4(21), AC-6, AC-21, SC-7, SC-7(3), SC-7(4), SC-7(9), SC-7(11), SC-7(16), SC-7(20), SC-7(21)
#     ]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.1.14, 3.1.20, 3.3.8, 3.4.6, 3.13.2, 3.13.5]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#   covers:
#     AWS::S3::AccountPublicAccessBlock:
#       catalog: [AWS-PUB-002]
#       controls:
#         aws_fsbp: [S3.1]
#         cis_aws_3.0.0: [2.1.4]
#         cis_aws_5.0.0: [2.1.4]
#         cis_aws_7.0.0: [3.1.4]
#       fix:
#         cli: >-
#           aws s3control put-public-access-block --account-id ACCOUNT --public-access-block-configuration
#           BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true
#         terraform: aws_s3_account_public_access_block with all four set to true
package policies.exposure.account_block_public

import rego.v1

scope contains account.id if some account in input.resources.account

fail contains {"id": account.id, "fact": "block_public_acls", "expected": true, "message": "new public ACLs are accepted"} if {
	some account in input.resources.account
	account.id in scope
	account.block_public_acls == false
}

fail contains {"id": account.id, "fact": "ignore_public_acls", "expected": true, "message": "public ACLs have effect"} if {
	some account in input.resources.account
	account.id in scope
	account.ignore_public_acls == false
}

fail contains {"id": account.id, "fact": "block_public_policy", "expected": true, "message": "new public bucket policies are accepted"} if {
	some account in input.resources.account
	account.id in scope
	account.block_public_policy == false
}

fail contains {"id": account.id, "fact": "restrict_public_buckets", "expected": true, "message": "public bucket policies reach beyond the account"} if {
	some account in input.resources.account
	account.id in scope
	account.restrict_public_buckets == false
}
