# METADATA
# title: Agent runtimes stand in a network of the customer
# description: >-
#   An agent that runs code and calls tools on the public network has no packet filter around it. Who may call it is
#   settled elsewhere: without an authorizer of tokens, callers must sign with IAM, which is not failed here. The latest
#   version of a runtime is judged; an endpoint that was left at an older one is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/agentcore-vpc.html
#   - https://docs.aws.amazon.com/securityhub/latest/userguide/bedrockagentcore-controls.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [network_mode]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7]
#     iso_27001_2022: [A.8.20]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0053, AML.T0049]
#   covers:
#     AWS::BedrockAgentCore::Runtime:
#       catalog: [AWS-PUB-012]
#       controls:
#         aws_fsbp: [BedrockAgentCore.1]
#       fix:
#         cli: >-
#           aws bedrock-agentcore-control update-agent-runtime --agent-runtime-id ID … --network-configuration
#           'networkMode=VPC,networkModeConfig={subnets=[SUBNET],securityGroups=[GROUP]}'
#         terraform: network_configuration { network_mode = "VPC" network_mode_config { … } }
package policies.exposure.agent_runtime_public

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "agent_runtime"
}

fail contains {
	"id": service.id, "fact": "network_mode", "expected": "vpc",
	"message": "the agent runs on the public network",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.network_mode == "public"
}
