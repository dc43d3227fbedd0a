# METADATA
# title: The data catalogue's metadata and connection passwords have a customer-managed key
# description: >-
#   The catalogue says which partitions become training data, and its connections hold the passwords of the databases
#   they come from. A region whose catalogue has no database is not judged; one
#   that a plan sets up is. Turning encryption on does not re-encrypt
#   what is in the catalogue already.
# related_resources:
#   - https://docs.aws.amazon.com/glue/latest/dg/encrypt-glue-data-catalog.html
#   - https://docs.aws.amazon.com/glue/latest/dg/encrypt-connection-passwords.html
# custom:
#   severity: medium
#   kind: account
#   scope_on: [catalogue_used]
#   fail_on: [key_manager, password_key_manager]
#   controls:
#     nist_800_53_r5: [SI-7, SI-7(1)]
#     iso_27001_2022: [A.8.15, A.8.24]
#     soc2: [CC7.1]
#     pci_dss_4: [11.5.2]
#     mitre_atlas: [AML.T0059]
#   covers:
#     AWS::Glue::DataCatalogEncryptionSettings:
#       catalog: [AWS-DATA-009]
#       fix:
#         cli: >-
#           aws glue put-data-catalog-encryption-settings --data-catalog-encryption-settings '{"EncryptionAtRest":
#           {"CatalogEncryptionMode": "SSE-KMS", "SseAwsKmsKeyId": "KEY_ARN"}, "ConnectionPasswordEncryption":
#           {"ReturnConnectionPasswordEncrypted": true, "AwsKmsKeyId": "KEY_ARN"}}'
#         terraform: aws_glue_data_catalog_encryption_settings with both blocks set
package policies.encryption.metadata_cmk

import rego.v1

scope contains setting.id if {
	some setting in input.resources.account
	setting.catalogue_used == true
}

# Who plans its settings means to use it.
scope contains setting.id if {
	some setting in input.resources.account
	startswith(setting.id, "plan/")
}

fail contains {
	"id": setting.id, "fact": "key_manager", "expected": "customer", "tag": "metadata",
	"message": sprintf("metadata is %s", [key]),
} if {
	some setting in input.resources.account
	setting.id in scope
	key := shown[setting.key_manager]
}

fail contains {
	"id": setting.id, "fact": "password_key_manager", "expected": "customer", "tag": "passwords",
	"message": sprintf("passwords of connections are %s", [key]),
} if {
	some setting in input.resources.account
	setting.id in scope
	key := shown[setting.password_key_manager]
}

shown := {"none": "not encrypted", "provider": "encrypted with a key of the provider's own"}
