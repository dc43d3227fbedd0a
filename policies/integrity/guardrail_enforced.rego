# METADATA
# title: Agents stand behind a guardrail that blocks attacks in prompts and masks personal data
# description: >-
#   A filter whose actions are all NONE only reports. An agent is judged by its draft, and by the very version of the
#   guardrail that this names; a guardrail itself by its draft. Older versions of an agent, at which an alias may have
#   stayed, are not seen. The filter of prompt attacks works on inputs only, so its output strength is not read.
#   `strengths` lists what is strong enough. A guardrail proves nothing about callers that invoke models without it: demand
#   it of them with the IAM condition bedrock:GuardrailIdentifier, which is not judged here.
# related_resources:
#   - https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails-prompt-attack.html
#   - https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails-sensitive-filters.html
# custom:
#   severity: medium
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [guardrail_id, prompt_attack_filter, personal_data_filter]
#   params:
#     strengths: [high]
#   controls:
#     nist_800_53_r5: [SI-7, SI-7(1)]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC7.1]
#     pci_dss_4: [11.5.2]
#     mitre_atlas: [AML.T0051, AML.T0057]
#   covers:
#     AWS::Bedrock::Guardrail:
#       catalog: [AWS-DATA-011]
#       fix:
#         cli: >-
#           aws bedrock update-guardrail --guardrail-identifier ID … --content-policy-config 'filtersConfig=[{type=PROMPT_ATTACK,
#           inputStrength=HIGH,outputStrength=NONE,inputAction=BLOCK}]' --sensitive-information-policy-config
#           'piiEntitiesConfig=[{type=EMAIL,action=ANONYMIZE}]'
#         terraform: >-
#           content_policy_config { filters_config { type = "PROMPT_ATTACK", input_strength = "HIGH", output_strength = "NONE" } },
#           sensitive_information_policy_config { pii_entities_config { type = "EMAIL", action = "ANONYMIZE" } }
#     AWS::Bedrock::Agent:
#       catalog: [AWS-DATA-011]
#       fix:
#         cli: >-
#           aws bedrock-agent update-agent --agent-id ID … --guardrail-configuration
#           guardrailIdentifier=GUARDRAIL,guardrailVersion=VERSION
#         terraform: guardrail_configuration { guardrail_identifier = …, guardrail_version = … }
package policies.integrity.guardrail_enforced

import rego.v1

strengths := input.params["integrity.guardrail_enforced"].strengths

attacks := {
	"none": "nothing looks for attacks in prompts",
	"detect": "attacks in prompts are reported, not blocked",
	"low": "attacks in prompts are blocked at low strength only",
	"medium": "attacks in prompts are blocked at medium strength only",
	"high": "attacks in prompts are blocked at high strength only",
}

personal := {
	"none": "nothing looks for personal data",
	"detect": "personal data are reported, neither blocked nor masked",
}

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type in {"agent", "guardrail"}
}

fail contains {"id": service.id, "fact": "guardrail_id", "expected": "a guardrail", "message": "the agent has no guardrail"} if {
	some service in input.resources.model_service
	service.id in scope
	service.guardrail_id == ""
}

fail contains {
	"id": service.id, "fact": "prompt_attack_filter", "tag": "prompts", "expected": concat(" or ", strengths),
	"message": message,
} if {
	some service in input.resources.model_service
	service.id in scope
	service.guardrail_id != ""
	some strength, message in attacks
	service.prompt_attack_filter == strength
	count([allowed | some allowed in strengths; allowed == strength]) == 0
}

fail contains {
	"id": service.id, "fact": "personal_data_filter", "tag": "personal data", "expected": "enforce",
	"message": message,
} if {
	some service in input.resources.model_service
	service.id in scope
	service.guardrail_id != ""
	some way, message in personal
	service.personal_data_filter == way
}
