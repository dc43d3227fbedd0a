# METADATA
# title: SageMaker domains keep homes, spaces and shared notebooks under a customer-managed key
# description: >-
#   Studio is where researchers keep extracts of the corpus. The key of a domain encrypts the home directories and the
#   volumes of spaces and is fixed when the domain is made. Notebooks that are shared with their output take a key of
#   their own, judged where the domain lets people share. Settings of single users are not seen. Domains that are being
#   deleted or have failed are not collected.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/encryption-at-rest-studio.html
#   - https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_SharingSettings.html
# custom:
#   severity: medium
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [key_manager, output_key_manager]
#   controls:
#     nist_800_53_r5: [SC-28, SC-28(1)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#   covers:
#     AWS::SageMaker::Domain:
#       catalog: [AWS-ENC-018]
#       fix:
#         cli: "aws sagemaker create-domain … --kms-key-id KEY_ARN (the domain is made anew)"
#         terraform: kms_key_id = aws_kms_key.NAME.arn (the domain is made anew), and sharing_settings.s3_kms_key_id
package policies.encryption.studio_cmk

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "domain"
}

fail contains {
	"id": service.id, "fact": "key_manager", "expected": "customer",
	"message": "no customer-managed key encrypts its home directories and spaces",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.key_manager in {"none", "provider"}
}

fail contains {
	"id": service.id, "fact": "output_key_manager", "expected": "customer",
	"message": "notebooks are shared with their output, which no customer-managed key encrypts",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.output_key_manager == "provider"
}
