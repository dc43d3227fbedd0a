# METADATA
# title: Jobs on several machines encrypt what the machines send each other
# description: >-
#   Gradients and activations give training data away to anyone on the path. A job on one machine sends nothing and is
#   not applicable. The setting does not speak of traffic that adapters of EFA encrypt themselves: sizes whose Nitro cards
#   encrypt between machines may be accepted by the parameter `accepted_sizes`, a list of prefixes (`ml.p5`). Encryption
#   may make training take longer. Jobs of the last 30 days are collected, running ones always. Jobs that the profiler
#   makes have the settings of the service, not those of the training job.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/train-encrypt.html
#   - https://github.com/aws/sagemaker-python-sdk/issues/2683
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type, node_count]
#   fail_on: [traffic_encrypted, instance_types]
#   params:
#     accepted_sizes: []
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1), SC-13]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#     mitre_atlas: [AML.T0035]
#   covers:
#     AWS::SageMaker::TrainingJob:
#       catalog: [AWS-TLS-014]
#       fix:
#         cli: >-
#           aws sagemaker create-training-job … --enable-inter-container-traffic-encryption; deny others by the condition
#           sagemaker:InterContainerTrafficEncryption
#     AWS::SageMaker::ProcessingJob:
#       catalog: [AWS-TLS-014]
#       fix:
#         cli: "aws sagemaker create-processing-job … --network-config EnableInterContainerTrafficEncryption=true,…"
#     AWS::SageMaker::DataQualityJobDefinition:
#       catalog: [AWS-TLS-014]
#       fix:
#         terraform: network_config { enable_inter_container_traffic_encryption = true }
package policies.transit.job_traffic_encrypted

import rego.v1

accepted := input.params["transit.job_traffic_encrypted"].accepted_sizes

kinds := {"training_job", "processing_job", "monitoring"}

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type in kinds
	service.node_count > 1
}

fail contains {
	"id": service.id, "fact": "traffic_encrypted", "expected": true,
	"message": "its machines send each other clear text",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.traffic_encrypted == false
	some size in service.instance_types
	count([prefix | some prefix in accepted; startswith(size, prefix)]) == 0
}

safe contains service.id if {
	some service in input.resources.model_service
	service.id in scope
	service.traffic_encrypted == true
}
