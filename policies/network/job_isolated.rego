# METADATA
# title: Training and processing jobs run in private subnets of a network of the customer
# description: >-
#   A job that names no network runs in one of SageMaker's, from which its containers reach the whole internet: the corpus
#   may leave, and code may come in. Its subnets must not route to an internet gateway; one without a route table of its
#   own has the main one of its network. Jobs of the last 30 days are collected, running ones always. Serverless jobs
#   (managed fine-tuning) have no network and are not applicable. Whether the container itself may make calls is asked by
#   network.job_offline.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/train-vpc.html
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/process-vpc.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type, serverless]
#   fail_on: [subnet_ids, internet_route]
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
#           aws sagemaker create-training-job … --vpc-config SecurityGroupIds=GROUP,Subnets=PRIVATE_SUBNET; deny others by
#           the condition sagemaker:VpcSubnets
#     AWS::SageMaker::ProcessingJob:
#       catalog: [AWS-NET-019]
#       fix:
#         cli: "aws sagemaker create-processing-job … with VpcConfig in --network-config"
#     AWS::SageMaker::DataQualityJobDefinition:
#       catalog: [AWS-NET-019]
#       fix:
#         terraform: "network_config { vpc_config { subnets = [aws_subnet.NAME.id], security_group_ids = [aws_security_group.NAME.id] } }"
package policies.network.job_isolated

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type in {"training_job", "processing_job", "monitoring"}
	service.serverless == false
}

fail contains {
	"id": service.id, "fact": "subnet_ids", "expected": "subnets of the customer",
	"message": "it runs in a network of the provider, open to the internet",
} if {
	some service in input.resources.model_service
	service.id in scope
	subnets := service.subnet_ids
	count(subnets) == 0
}

fail contains {
	"id": service.id, "fact": "internet_route", "expected": false,
	"message": "a subnet that it runs in routes to an internet gateway",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.internet_route == true
}
