# METADATA
# title: Notebooks and model endpoints keep their data under a customer-managed key
# description: >-
#   Notebook volumes hold samples of training data, endpoint volumes hold the weights, and data capture holds prompts and
#   completions. Sizes that keep everything on local NVMe disks take no key (the hardware encrypts them), so the volume
#   key of an endpoint configuration that uses no other size is not judged. A
#   configuration is judged whether or not a live endpoint runs it.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/encryption-at-rest.html
#   - https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateEndpointConfig.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [key_manager, local_nvme_only, capture_enabled, capture_key_manager, output_key_manager]
#   covers:
#     AWS::SageMaker::NotebookInstance:
#       catalog: [AWS-ENC-015]
#       controls:
#         nist_800_53_r5: [AU-9(3), CP-9, SC-8(3), SC-8(4), SC-13, SC-28(1), SI-19(4)]
#         nist_800_171_r2: [3.13.11, 3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.1]
#         pci_dss_4: [3.5.1]
#       fix:
#         console: Make a new notebook instance with a customer-managed encryption key, and move the work there
#         terraform: kms_key_id = aws_kms_key.NAME.arn (the notebook is made anew)
#     AWS::SageMaker::EndpointConfig:
#       catalog: [AWS-ENC-016]
#       controls:
#         nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.1]
#         pci_dss_4: [3.5.1]
#       fix:
#         cli: "aws sagemaker create-endpoint-config … --kms-key-id KEY_ARN, then update-endpoint"
#         terraform: kms_key_arn = aws_kms_key.NAME.arn, and data_capture_config.kms_key_id and output_config.kms_key_id
package policies.encryption.model_service_cmk

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type in {"notebook", "endpoint_config"}
}

fail contains {
	"id": service.id, "fact": "key_manager", "expected": "customer",
	"message": "no customer-managed key encrypts its storage",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.key_manager in {"none", "provider"}
	service.local_nvme_only == false
}

fail contains {
	"id": service.id, "fact": "capture_key_manager", "expected": "customer",
	"message": "requests and answers are recorded without a customer-managed key",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.capture_enabled == true
	service.capture_key_manager == "provider"
}

fail contains {
	"id": service.id, "fact": "output_key_manager", "expected": "customer",
	"message": "asynchronous answers are stored without a customer-managed key",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.output_key_manager == "provider"
}

# A customer's key settles the storage whatever the disks are, and local disks settle it whatever the key is.
storage contains service.id if {
	some service in input.resources.model_service
	service.key_manager == "customer"
}

storage contains service.id if {
	some service in input.resources.model_service
	service.local_nvme_only == true
}

recording contains service.id if {
	some service in input.resources.model_service
	service.capture_enabled == false
}

recording contains service.id if {
	some service in input.resources.model_service
	service.capture_key_manager == "customer"
}

answers contains service.id if {
	some service in input.resources.model_service
	service.output_key_manager in {"customer", "none"}
}

safe contains id if {
	some id in scope
	id in storage
	id in recording
	id in answers
}
