# METADATA
# title: Guardrails, agents and data sources of Bedrock are encrypted with a customer-managed key
# description: >-
#   Instructions of agents, denied topics and chunks of documents are confidential text. A knowledge base has no key of
#   its own: each of its data sources has one, for what waits to be taken in. Where the vectors lie is judged with the store.
#   Keys of managed knowledge bases, which keep their own vectors, are not seen.
# related_resources:
#   - https://docs.aws.amazon.com/bedrock/latest/userguide/encryption-agents.html
#   - https://docs.aws.amazon.com/bedrock/latest/userguide/encryption-kb.html
# custom:
#   severity: medium
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [key_manager]
#   controls:
#     nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#     mitre_atlas: [AML.T0085.000]
#   covers:
#     AWS::Bedrock::Guardrail:
#       catalog: [AWS-ENC-020]
#       fix:
#         cli: aws bedrock update-guardrail --guardrail-identifier ID … --kms-key-id KEY_ARN
#         terraform: kms_key_arn = aws_kms_key.NAME.arn
#     AWS::Bedrock::Agent:
#       catalog: [AWS-ENC-020]
#       fix:
#         cli: aws bedrock-agent update-agent --agent-id ID … --customer-encryption-key-arn KEY_ARN
#         terraform: customer_encryption_key_arn = aws_kms_key.NAME.arn
#     AWS::Bedrock::DataSource:
#       catalog: [AWS-ENC-020]
#       fix:
#         cli: aws bedrock-agent update-data-source … --server-side-encryption-configuration kmsKeyArn=KEY_ARN
#         terraform: server_side_encryption_configuration { kms_key_arn = aws_kms_key.NAME.arn }
package policies.encryption.assistant_cmk

import rego.v1

what := {
	"guardrail": "what it filters is encrypted with a key of the provider's own, not a customer-managed one",
	"agent": "its instructions and sessions are encrypted with a key of the provider's own, not a customer-managed one",
	"data_source": "documents on their way in are encrypted with a key of the provider's own, not a customer-managed one",
}

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type in {"guardrail", "agent", "data_source"}
}

fail contains {"id": service.id, "fact": "key_manager", "expected": "customer", "message": message} if {
	some service in input.resources.model_service
	some kind, message in what
	service.service_type == kind
	service.key_manager in {"none", "provider"}
}
