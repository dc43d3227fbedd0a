# METADATA
# title: Jobs, models and scripts of the machine learning services hold no secret
# description: >-
#   Whoever may describe a job or model reads its variables and hyperparameters, and experiment trackers copy them.
#   Judged are variables and hyperparameters of jobs, variables of models, and lifecycle scripts of notebooks. Secrets
#   are told as in user data; references, paths, placeholders and documented example keys are none.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECS/latest/developerguide/specifying-sensitive-data.html
#   - https://docs.aws.amazon.com/secretsmanager/latest/userguide/retrieving-secrets.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: []
#   fail_on: [environment_secrets]
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-2]
#     iso_27001_2022: [A.5.16]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1, 8.2.2, 8.3.2]
#     mitre_atlas: [AML.T0055]
#   covers:
#     AWS::SageMaker::TrainingJob: &same
#       catalog: [AWS-CRED-009]
#       fix:
#         console: Pass the name of the secret and read it from Secrets Manager with the job's role; rotate what stood there
#         terraform: the environment holds the name of the secret, which the container reads; rotate the old one
#     AWS::SageMaker::ProcessingJob: *same
#     AWS::SageMaker::Model: *same
#     AWS::SageMaker::NotebookInstanceLifecycleConfig: *same
package policies.credentials.service_secrets

import rego.v1

scope contains r.id if some r in input.resources.model_service

fail contains {
	"id": r.id, "fact": "environment_secrets", "expected": [],
	"actual": [secret], "tag": tag,
	"message": sprintf("%s in clear text: %s", [secret.kind, secret.location]),
} if {
	some r in input.resources.model_service
	r.id in scope
	some secret in r.environment_secrets
	tag := sprintf("%s %s", [split(secret.location, ", line ")[0], secret.fingerprint]) # without its line, which moves
}
