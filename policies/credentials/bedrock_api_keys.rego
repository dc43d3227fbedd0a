# METADATA
# title: No long-term Amazon Bedrock API key works
# description: >-
#   A bearer token that needs no signature, mostly without an end: what thieves of model time look for first. A key fails
#   that never ends or was made for more than `max_days`; one made for less fails `credentials.other_static` alone. The
#   whole life of a key counts, not what is left of it. Short-term keys (12 hours at most) are made by the caller himself
#   and are not seen; nor is what the key's user may do, who is often called BedrockAPIKey-… and judged by the rules of
#   IAM.
# related_resources:
#   - https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_bedrock.html
# custom:
#   severity: critical
#   kind: credential
#   scope_on: [credential_type, service]
#   fail_on: [active, valid_days]
#   params:
#     max_days: 30
#   controls:
#     nist_800_53_r5: [AC-2, IA-5]
#     iso_27001_2022: [A.5.17]
#     soc2: [CC6.1]
#     pci_dss_4: [8.6.2]
#     mitre_atlas: [AML.T0055, AML.T0034, AML.T0091.000]
#   covers:
#     AWS::IAM::ServiceSpecificCredential:
#       catalog: [AWS-CRED-005]
#       fix:
#         cli: >-
#           aws iam delete-service-specific-credential --user-name USER --service-specific-credential-id ID; deny
#           iam:CreateServiceSpecificCredential and bedrock:CallWithBearerToken by a service control policy
#         terraform: remove aws_iam_service_specific_credential, and give the work a role
package policies.credentials.bedrock_api_keys

import rego.v1

max_days := input.params["credentials.bedrock_api_keys"].max_days

scope contains credential.id if {
	some credential in input.resources.credential
	credential.credential_type == "service_specific"
	credential.service == "bedrock.amazonaws.com"
}

fail contains {
	"id": credential.id, "fact": "valid_days", "expected": sprintf("at most %d days", [max_days]),
	"message": "a Bedrock API key works, and never ends",
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.active == true
	credential.valid_days == 0
}

fail contains {
	"id": credential.id, "fact": "valid_days", "expected": sprintf("at most %d days", [max_days]),
	"message": sprintf("a Bedrock API key works, and was made for %d days", [credential.valid_days]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.active == true
	credential.valid_days > max_days
}

# One that does not work may have any life.
safe contains credential.id if {
	some credential in input.resources.credential
	credential.id in scope
	credential.active == false
}
