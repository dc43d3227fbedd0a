# METADATA
# title: Invocations of models are logged with their text where Bedrock is in use
# description: >-
#   The log of prompts and answers is the only record when somebody misuses a model or a secret leaks through one. A
#   destination without text keeps metadata alone. It is a setting of each region; with cross-region inference the
#   region that was called logs. A region counts as in use where it holds models, agents, guardrails, data sources, agent
#   runtimes or a private door to Bedrock: calls on demand leave nothing behind that could be seen, so other regions are
#   not judged. The log holds personal data, so its own encryption is judged with its log group or bucket.
# related_resources:
#   - https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html
# custom:
#   severity: medium
#   kind: account
#   scope_on: [bedrock_in_use]
#   fail_on: [invocations_logged, invocation_text_logged]
#   controls:
#     nist_800_53_r5: [AU-2, AU-12, SI-4]
#     iso_27001_2022: [A.8.15]
#     soc2: [A1.1]
#     pci_dss_4: [10.2.1]
#     mitre_atlas: [AML.T0057, AML.T0034]
#   covers:
#     AWS::Bedrock::ModelInvocationLogging:
#       catalog: [AWS-LOG-007]
#       fix:
#         cli: >-
#           aws bedrock put-model-invocation-logging-configuration --logging-config
#           'textDataDeliveryEnabled=true,cloudWatchConfig={logGroupName=GROUP,roleArn=ROLE_ARN}'
#         terraform: aws_bedrock_model_invocation_logging_configuration with text_data_delivery_enabled = true
package policies.logging.model_invocations

import rego.v1

scope contains account.id if {
	some account in input.resources.account
	account.bedrock_in_use == true
}

fail contains {
	"id": account.id, "fact": "invocations_logged", "expected": true,
	"message": "invocations of models are logged nowhere",
} if {
	some account in input.resources.account
	account.id in scope
	account.invocations_logged == false
}

fail contains {
	"id": account.id, "fact": "invocation_text_logged", "expected": true,
	"message": "the log of invocations leaves prompts and answers out",
} if {
	some account in input.resources.account
	account.id in scope
	account.invocations_logged == true
	account.invocation_text_logged == false
}
