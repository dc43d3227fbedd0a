# METADATA
# title: Launch templates make volumes that a customer-managed key encrypts
# description: >-
#   Checkpoints lie on the volumes of the nodes, and a template makes hundreds of them. The latest and the default
#   version of every template are judged. What it leaves out is looked up: the image says which volumes it brings, and
#   the account's default whether blank and unencrypted ones are encrypted, and with which key. The key of an encrypted
#   snapshot below an image is not seen. Where a template names no image, its own volumes are judged; it is unknown where
#   none of them has the name of a root volume. Local disks are no volumes.
# related_resources:
#   - https://docs.aws.amazon.com/ebs/latest/userguide/encryption-by-default.html
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/AMIEncryption.html
# custom:
#   severity: high
#   kind: node
#   scope_on: []
#   fail_on: [volume_keys]
#   covers:
#     AWS::EC2::LaunchTemplate:
#       catalog: [AWS-ENC-007]
#       controls:
#         nist_800_53_r5: [CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#         nist_800_171_r2: [3.5.10, 3.13.11, 3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [PI1.5]
#         pci_dss_4: [3.5.1]
#         aws_fsbp: [EC2.181]
#       fix:
#         cli: >-
#           aws ec2 create-launch-template-version --launch-template-id TEMPLATE --source-version VERSION
#           --launch-template-data '{"BlockDeviceMappings": [{"DeviceName": DEVICE, "Ebs": {"Encrypted": true, "KmsKeyId": "KEY_ARN"}}]}',
#           make it the default, and renew the nodes
#         terraform: block_device_mappings { ebs { encrypted = true, kms_key_id = aws_kms_key.NAME.arn } }
package policies.encryption.template_volumes

import rego.v1

said := {
	"none": "nothing encrypts the volume",
	"provider": "no customer-managed key encrypts the volume",
}

scope contains node.id if some node in input.resources.node

fail contains {
	"id": node.id, "fact": "volume_keys", "expected": "customer",
	"actual": [volume], "tag": volume.device,
	"message": sprintf("%s %s", [said[volume.key_manager], volume.device]),
} if {
	some node in input.resources.node
	node.id in scope
	some volume in node.volume_keys
	volume.key_manager in {"none", "provider"}
}
