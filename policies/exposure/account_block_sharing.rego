# METADATA
# title: The account refuses to share images and snapshots with everyone
# description: >-
#   One switch a region keeps images and snapshots of nodes from being made public by mistake, those that come later
#   included. A block on new sharing leaves public what is public already: that is judged one by one. An organisation's
#   declarative policy that sets it shows here.
# related_resources:
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/block-public-access-to-amis.html
#   - https://docs.aws.amazon.com/ebs/latest/userguide/block-public-access-snapshots.html
# custom:
#   severity: high
#   kind: account
#   scope_on: []
#   fail_on: [sharing_block]
#   controls:
#     nist_800_53_r5: [
#       AC-3, AC-3(7), AC-4, AC-4(21), AC-6, AC-21, SC-7, SC-7(3), SC-7(4), SC-7(9), SC-7(11), SC-7(16), SC-7(20), SC-7(21)
#     ]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.1.14, 3.4.6, 3.13.2, 3.13.5]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [3.5.1.3, 10.3.2, A1.1.2, A3.4.1]
#     mitre_atlas: [AML.T0035]
#   covers:
#     AWS::EC2::ImageBlockPublicAccess:
#       catalog: [AWS-PUB-005]
#       fix:
#         cli: aws ec2 enable-image-block-public-access --image-block-public-access-state block-new-sharing
#         terraform: aws_ec2_image_block_public_access with state = "block-new-sharing"
#     AWS::EC2::SnapshotBlockPublicAccess:
#       catalog: [AWS-PUB-005]
#       fix:
#         cli: aws ec2 enable-snapshot-block-public-access --state block-all-sharing
#         terraform: aws_ebs_snapshot_block_public_access with state = "block-all-sharing"
package policies.exposure.account_block_sharing

import rego.v1

scope contains account.id if some account in input.resources.account

fail contains {"id": account.id, "fact": "sharing_block", "expected": "all", "message": "nothing keeps them from being shared with everyone"} if {
	some account in input.resources.account
	account.id in scope
	account.sharing_block == "none"
}
