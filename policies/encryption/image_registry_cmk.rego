# METADATA
# title: Registries of images are encrypted with a customer-managed key
# description: >-
#   Images hold code and sometimes weights. With a key of the provider's own there is no key policy, no record of use and
#   no switch to turn the data off. The setting cannot be changed later: a repository has to be made anew and its images
#   moved. Public repositories hold what everyone may read and are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECR/latest/userguide/encryption-at-rest.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [key_manager]
#   covers:
#     AWS::ECR::Repository:
#       catalog: [AWS-ENC-012]
#       controls:
#         nist_800_53_r5: [SC-28, SC-28(1)]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.1]
#         pci_dss_4: [3.5.1]
#       fix:
#         cli: >-
#           aws ecr create-repository --repository-name NEW --encryption-configuration encryptionType=KMS,kmsKey=KEY_ARN,
#           then copy the images
#         terraform: encryption_configuration { encryption_type = "KMS", kms_key = aws_kms_key.NAME.arn } (it is made anew)
package policies.encryption.image_registry_cmk

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "registry"
}

fail contains {
	"id": store.id, "fact": "key_manager", "expected": "customer",
	"message": "the key that encrypts its images is the provider's own, not customer-managed",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.key_manager in {"none", "provider"}
}
