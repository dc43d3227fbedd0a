# METADATA
# title: Nobody opens a shell in the containers of training jobs and endpoints
# description: >-
#   A shell in a container that trains or serves reaches the weights, the data and the role of the job, past every door
#   that tenants share. SageMaker opens one by remote debugging of a training job, and by Systems Manager access to a
#   variant of an endpoint. Jobs of the last 30 days are collected, running ones always; endpoint configurations are
#   judged whether or not a live endpoint runs them.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/train-remote-debugging.html
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/ssm-access.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [interactive_access]
#   controls:
#     nist_800_53_r5: [AC-2(1), AC-3, AC-3(7), AC-3(15), AC-5, AC-6, CA-9(1), CM-2]
#     iso_27001_2022: [A.8.22]
#     soc2: [CC6.1]
#     pci_dss_4: [1.4.5, 7.2.1, 7.2.2, 7.2.3]
#     mitre_atlas: [AML.T0105]
#   covers:
#     AWS::SageMaker::TrainingJob:
#       catalog: [AWS-ISO-002]
#       fix:
#         cli: >-
#           aws sagemaker update-training-job --training-job-name NAME --remote-debug-config EnableRemoteDebug=false; deny it
#           by the condition sagemaker:EnableRemoteDebug
#     AWS::SageMaker::EndpointConfig:
#       catalog: [AWS-ISO-002]
#       fix:
#         cli: aws sagemaker create-endpoint-config … without EnableSSMAccess, then update-endpoint
#         terraform: production_variants { enable_ssm_access = false }
package policies.ai.interactive_access

import rego.v1

doors := {
	"training_job": "remote debugging opens a shell in its containers",
	"endpoint_config": "Systems Manager opens a shell in the containers of a variant",
}

scope contains service.id if {
	some service in input.resources.model_service
	some kind, _ in doors
	service.service_type == kind
}

fail contains {"id": service.id, "fact": "interactive_access", "expected": false, "message": message} if {
	some service in input.resources.model_service
	service.id in scope
	some kind, message in doors
	service.service_type == kind
	service.interactive_access == true
}
