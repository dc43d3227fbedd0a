# METADATA
# title: No machine image is shared with everyone
# description: >-
#   Golden images of nodes hold code, tokens and sometimes weights, and anyone can start one that is public. The
#   account's own images are judged; those shared with single accounts are not reported, and neither are images that others share.
# related_resources:
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/sharingamis-intro.html
# custom:
#   severity: critical
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [shared_publicly]
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
#     AWS::EC2::Image:
#       catalog: [AWS-PUB-005]
#       fix:
#         cli: aws ec2 modify-image-attribute --image-id IMAGE --launch-permission "Remove=[{Group=all}]"
#         terraform: no aws_ami_launch_permission with group = "all", and aws_ec2_image_block_public_access
package policies.exposure.image_public

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "image"
}

fail contains {"id": store.id, "fact": "shared_publicly", "expected": false, "message": "anyone may start it"} if {
	some store in input.resources.data_store
	store.id in scope
	store.shared_publicly == true
}
