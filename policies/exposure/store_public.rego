# METADATA
# title: No bucket and no access point is open to the public
# description: >-
#   What counts is what policy, ACL and the public-access blocks of bucket and account come to together: a block of
#   either takes a public policy (`RestrictPublicBuckets`) or a public ACL (`IgnorePublicAcls`) back. A policy is public
#   where it lets everyone in and no condition narrows them to known accounts, organisations, networks or addresses; a
#   condition that is not understood makes the verdict unknown. `AuthenticatedUsers` in an ACL is every AWS account.
#   An access point counts as one more door to its bucket: its own block, its bucket's and the account's shut it, and so
#   does taking requests from one network only. Websites behind a CDN are not seen.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
# custom:
#   severity: critical
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [policy_public, policy_public_blocked, acl_public, acl_public_blocked]
#   controls:
#     nist_800_53_r5: [
#       AC-2(1), AC-3, AC-3(7), AC-3(15), AC-4, AC-4(21), AC-6, AC-21, SC-7, SC-7(3), SC-7(4), SC-7(9), SC-7(11), SC-7(16),
#       SC-7(20), SC-7(21)
#     ]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.3.8, 3.4.6, 3.13.2, 3.13.5]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.1]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1, 7.2.1, 7.2.2, 7.2.5, 7.3.1, 7.3.2, 7.3.3]
#     mitre_atlas: [AML.T0035, AML.T0020]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-PUB-003]
#       controls:
#         aws_fsbp: [S3.2, S3.3]
#         cis_aws_3.0.0: [2.1.4]
#         cis_aws_5.0.0: [2.1.4]
#         cis_aws_7.0.0: ["2.21", 3.1.4]
#       fix:
#         cli: >-
#           aws s3api put-public-access-block --bucket BUCKET --public-access-block-configuration
#           BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true
#         terraform: aws_s3_bucket_public_access_block with all four set to true
#     AWS::S3::AccessPoint:
#       catalog: [AWS-PUB-003]
#       controls:
#         aws_fsbp: [S3.19]
#       fix:
#         cli: >-
#           aws s3control create-access-point … --public-access-block-configuration
#           BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true (it cannot be changed later)
#         terraform: public_access_block_configuration with all four set to true
package policies.exposure.store_public

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type in {"bucket", "access_point"}
}

fail contains {"id": store.id, "fact": "policy_public", "expected": "no", "message": "its policy lets anyone in, and nothing blocks it"} if {
	some store in input.resources.data_store
	store.id in scope
	store.policy_public == "yes"
	store.policy_public_blocked == false
}

fail contains {"id": store.id, "fact": "acl_public", "expected": false, "message": "its ACL lets anyone in, and nothing blocks it"} if {
	some store in input.resources.data_store
	store.id in scope
	store.acl_public == true
	store.acl_public_blocked == false
}

# A block settles it whatever the policy says, and a policy that lets nobody in settles it whatever is blocked.
policy_shut contains store.id if {
	some store in input.resources.data_store
	store.policy_public_blocked == true
}

policy_shut contains store.id if {
	some store in input.resources.data_store
	store.policy_public == "no"
}

acl_shut contains store.id if {
	some store in input.resources.data_store
	store.acl_public_blocked == true
}

acl_shut contains store.id if {
	some store in input.resources.data_store
	store.acl_public == false
}

safe contains id if {
	some id in scope
	id in policy_shut
	id in acl_shut
}
