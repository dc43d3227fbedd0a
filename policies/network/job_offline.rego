# METADATA
# title: Containers of training and processing jobs make no network calls of their own
# description: >-
#   With network isolation SageMaker fetches the data and stores the results, and the container itself reaches nothing but
#   its peers: a poisoned package or pickle cannot call home. Jobs that must pull from a hub (Hugging Face, Weights &
#   Biases) cannot run so: waive them, or turn the rule off. Jobs of the last 30 days are collected, running ones always.
#   Serverless jobs (managed fine-tuning) are not applicable.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/mkt-algo-model-internet-free.html
# custom:
#   severity: medium
#   kind: model_service
#   scope_on: [service_type, serverless]
#   fail_on: [network_isolation]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0025, AML.T0010.001]
#   covers:
#     AWS::SageMaker::TrainingJob:
#       catalog: [AWS-NET-019]
#       fix:
#         cli: >-
#           aws sagemaker create-training-job … --enable-network-isolation; deny others by the condition
#           sagemaker:NetworkIsolation
#     AWS::SageMaker::ProcessingJob:
#       catalog: [AWS-NET-019]
#       fix:
#         cli: "aws sagemaker create-processing-job … --network-config EnableNetworkIsolation=true,…"
#     AWS::SageMaker::DataQualityJobDefinition:
#       catalog: [AWS-NET-019]
#       fix:
#         terraform: network_config { enable_network_isolation = true }
package policies.network.job_offline

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type in {"training_job", "processing_job", "monitoring"}
	service.serverless == false
}

fail contains {
	"id": service.id, "fact": "network_isolation", "expected": true,
	"message": "its containers may make network calls",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.network_isolation == false
}
