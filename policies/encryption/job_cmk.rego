# METADATA
# title: Training and processing jobs encrypt volumes and output with a customer-managed key
# description: >-
#   What a training job writes is the model. Without a key named for it, output falls under the provider's key of the
#   bucket, and the volume under one of SageMaker's. Sizes that keep everything on local NVMe disks take no key (the
#   hardware encrypts them), so the volume is judged only where some size has another disk. Jobs of the last 30 days are
#   collected, running ones always. Output means the model and the results of a job, not its checkpoints, which the key
#   of their bucket encrypts; a processing job that writes nothing needs no key for it.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_OutputDataConfig.html
#   - https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ResourceConfig.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [key_manager, local_nvme_only, output_key_manager]
#   controls:
#     nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#     mitre_atlas: [AML.T0035]
#   covers:
#     AWS::SageMaker::TrainingJob:
#       catalog: [AWS-ENC-014]
#       fix:
#         cli: >-
#           aws sagemaker create-training-job … --output-data-config S3OutputPath=…,KmsKeyId=KEY_ARN, and VolumeKmsKeyId in
#           --resource-config where the size allows it; deny others by the conditions sagemaker:OutputKmsKey and
#           sagemaker:VolumeKmsKey
#     AWS::SageMaker::ProcessingJob:
#       catalog: [AWS-ENC-014]
#       fix:
#         cli: >-
#           aws sagemaker create-processing-job … with KmsKeyId in --processing-output-config and VolumeKmsKeyId in
#           --processing-resources
package policies.encryption.job_cmk

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type in {"training_job", "processing_job"}
}

fail contains {
	"id": service.id, "fact": "output_key_manager", "expected": "customer",
	"message": "what it writes is encrypted by no customer-managed key",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.output_key_manager == "provider"
}

fail contains {
	"id": service.id, "fact": "key_manager", "expected": "customer",
	"message": "no customer-managed key encrypts its volumes",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.key_manager in {"none", "provider"}
	service.local_nvme_only == false
}

# A customer's key settles the volumes whatever the disks are, and local disks settle them whatever the key is.
volumes contains service.id if {
	some service in input.resources.model_service
	service.key_manager == "customer"
}

volumes contains service.id if {
	some service in input.resources.model_service
	service.local_nvme_only == true
}

safe contains service.id if {
	some service in input.resources.model_service
	service.id in scope
	service.id in volumes
	service.output_key_manager in {"customer", "none"}
}
