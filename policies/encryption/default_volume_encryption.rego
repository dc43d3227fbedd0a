# METADATA
# title: New volumes are encrypted by default with a customer-managed key, in every region in use
# description: >-
#   Every scratch volume that a training node makes takes this switch's word. It is a setting of an account in a region;
#   regions without a network of the account's own, an instance or a service for models are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/ebs/latest/userguide/encryption-by-default.html
# custom:
#   severity: high
#   kind: account
#   scope_on: [in_use]
#   fail_on: [encrypted, key_manager]
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#   covers:
#     AWS::EC2::EBSEncryptionByDefault:
#       catalog: [AWS-ENC-006]
#       controls:
#         aws_fsbp: [EC2.7]
#         cis_aws_7.0.0: [6.1.1]
#       fix:
#         cli: aws ec2 enable-ebs-encryption-by-default && aws ec2 modify-ebs-default-kms-key-id --kms-key-id KEY_ARN
#         terraform: aws_ebs_encryption_by_default with enabled = true, and aws_ebs_default_kms_key with key_arn
package policies.encryption.default_volume_encryption

import rego.v1

scope contains account.id if {
	some account in input.resources.account
	account.in_use == true
}

fail contains {
	"id": account.id, "fact": "encrypted", "expected": true,
	"message": "new volumes are encrypted only where someone asks for it",
} if {
	some account in input.resources.account
	account.id in scope
	account.encrypted == false
}

fail contains {
	"id": account.id, "fact": "key_manager", "expected": "customer",
	"message": "the default key of new volumes is the provider's own (alias/aws/ebs), not customer-managed",
} if {
	some account in input.resources.account
	account.id in scope
	account.key_manager == "provider"
}
