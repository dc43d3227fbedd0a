# METADATA
# title: Custom and imported models of Bedrock are encrypted with a customer-managed key
# description: >-
#   A fine-tuned model remembers its training data. Where no key is named AWS encrypts it with a key of its own, which
#   nobody can revoke. Whether the key is still usable is judged with the keys.
# related_resources:
#   - https://docs.aws.amazon.com/bedrock/latest/userguide/encryption-custom-job.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [key_manager]
#   controls:
#     nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#     mitre_atlas: [AML.T0048.004]
#   covers:
#     AWS::Bedrock::CustomModel:
#       catalog: [AWS-ENC-019]
#       fix:
#         cli: aws bedrock create-model-customization-job … --custom-model-kms-key-id KEY_ARN
#         terraform: custom_model_kms_key_id = aws_kms_key.NAME.arn (the model is made anew)
#     AWS::Bedrock::ImportedModel:
#       catalog: [AWS-ENC-019]
#       fix:
#         cli: aws bedrock create-model-import-job … --imported-model-kms-key-id KEY_ARN
package policies.encryption.custom_model_cmk

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "custom_model"
}

fail contains {
	"id": service.id, "fact": "key_manager", "expected": "customer",
	"message": "the model is encrypted with a key of the provider's own, not a customer-managed one",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.key_manager in {"none", "provider"}
}
