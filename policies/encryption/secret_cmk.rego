# METADATA
# title: Secrets are encrypted with a customer-managed key
# description: >-
#   Tokens of model hubs, experiment trackers and registries under the provider's own key cannot be shared with another
#   account, nor cut off by a key policy. Secrets that a service made and looks after (MACsec keys of Direct Connect,
#   database passwords) are that service's business. Copies in other regions have a key of their own, and are judged where
#   they are; of a plan they are not. The value of a secret is never read.
# related_resources:
#   - https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
# custom:
#   severity: medium
#   kind: credential
#   scope_on: [credential_type, managed_by]
#   fail_on: [key_manager]
#   controls:
#     nist_800_53_r5: [IA-5(7), SC-12, SC-28]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#   covers:
#     AWS::SecretsManager::Secret:
#       catalog: [AWS-ENC-013]
#       fix:
#         cli: aws secretsmanager update-secret --secret-id SECRET --kms-key-id KEY_ARN
#         terraform: kms_key_id = aws_kms_key.NAME.arn
package policies.encryption.secret_cmk

import rego.v1

scope contains credential.id if {
	some credential in input.resources.credential
	credential.credential_type == "secret"
	credential.managed_by == ""
}

fail contains {
	"id": credential.id, "fact": "key_manager", "expected": "customer",
	"message": "the key that encrypts it is the provider's own, not customer-managed",
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.key_manager == "provider"
}
