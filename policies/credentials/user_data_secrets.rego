# METADATA
# title: User data of machines holds no secret
# description: >-
#   User data are read from inside the machine by whoever reaches its metadata service, and from outside by whoever may
#   describe it. Tokens and keys are told by their form (AWS, Hugging Face, GitHub, GitLab, Slack, OpenAI, Anthropic,
#   NVIDIA, Weights & Biases, Google, private keys, passwords in addresses), others by the name that says so; entropy
#   alone proves nothing. The report has the line and the start of a hash, never the secret. Scripts that user data
#   fetch are not seen. What a plan shows only as a hash is unknown.
# related_resources:
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/user-data.html
#   - https://docs.aws.amazon.com/secretsmanager/latest/userguide/retrieving-secrets.html
# custom:
#   severity: high
#   kind: node
#   scope_on: []
#   fail_on: [user_data_secrets]
#   controls:
#     nist_800_53_r5: [AC-2, IA-5]
#     iso_27001_2022: [A.5.16]
#     soc2: [CC6.1]
#     pci_dss_4: [8.6.2]
#     mitre_atlas: [AML.T0055]
#   covers:
#     AWS::EC2::Instance:
#       catalog: [AWS-CRED-008]
#       fix:
#         console: Fetch secrets at boot from Secrets Manager with the instance's role, and rotate the one that stood here
#         terraform: read the secret at boot; user_data holds its name, and the old secret is rotated
#     AWS::EC2::LaunchTemplate:
#       catalog: [AWS-CRED-008]
#       fix:
#         console: Make a new version that fetches secrets at boot, delete the old ones, and rotate the secret that stood there
#         terraform: read the secret at boot; user_data holds its name, and the old secret is rotated
package policies.credentials.user_data_secrets

import rego.v1

scope contains node.id if some node in input.resources.node

fail contains {
	"id": node.id, "fact": "user_data_secrets", "expected": [],
	"actual": [secret], "tag": tag,
	"message": sprintf("%s in the user data, %s", [secret.kind, secret.location]),
} if {
	some node in input.resources.node
	node.id in scope
	some secret in node.user_data_secrets
	tag := sprintf("%s %s", [secret.kind, secret.fingerprint]) # not its line, which moves with every edit above it
}
