# METADATA
# title: Variables of tasks and functions hold no secret
# description: >-
#   Whoever may describe a task definition or list functions reads their variables, and logs repeat them. Judged are
#   the latest active revision of each family, with its command lines and log options, and every function. Secrets are
#   told as in user data; references, paths, placeholders and documented example keys are none. Variables that Lambda
#   could not decrypt are unknown. Files that a task loads its variables from are not seen.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECS/latest/developerguide/specifying-sensitive-data.html
#   - https://docs.aws.amazon.com/secretsmanager/latest/userguide/retrieving-secrets.html
# custom:
#   severity: high
#   kind: workload
#   scope_on: []
#   fail_on: [environment_secrets]
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-2]
#     iso_27001_2022: [A.5.16]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1, 8.2.2, 8.3.2]
#     mitre_atlas: [AML.T0055]
#   covers:
#     AWS::ECS::TaskDefinition:
#       catalog: [AWS-CRED-009]
#       controls:
#         aws_fsbp: [ECS.8]
#       fix:
#         cli: aws ecs register-task-definition … with secrets[].valueFrom in place of environment[].value; rotate what stood there
#         terraform: secrets = [{ name = NAME, valueFrom = aws_secretsmanager_secret.NAME.arn }] in the container; rotate the old one
#     AWS::Lambda::Function:
#       catalog: [AWS-CRED-009]
#       fix:
#         cli: aws lambda update-function-configuration … with the name of the secret, which the function reads; rotate what stood there
#         terraform: environment holds the name of the secret, which the function reads; rotate the old one
package policies.credentials.environment_secrets

import rego.v1

scope contains r.id if some r in input.resources.workload

fail contains {
	"id": r.id, "fact": "environment_secrets", "expected": [],
	"actual": [secret], "tag": tag,
	"message": sprintf("%s in clear text: %s", [secret.kind, secret.location]),
} if {
	some r in input.resources.workload
	r.id in scope
	some secret in r.environment_secrets
	tag := sprintf("%s %s", [split(secret.location, ", line ")[0], secret.fingerprint]) # without its line, which moves
}
