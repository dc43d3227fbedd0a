# METADATA
# title: Services take roles for this account only
# description: >-
#   A service principal stands for every customer of the service: without a condition on `aws:SourceAccount` or
#   `aws:SourceArn` (one is enough; the organisation's keys and a fixed external id do as well) another customer may
#   drive the service into the role. A Deny of everyone else counts too, of the organisation's policies where they were
#   seen. Judged are services whose documentation says that they send the keys: SageMaker, Bedrock and AgentCore, Glue,
#   Firehose, Step Functions, Scheduler, Pipes, DataSync, OpenSearch Ingestion, CodeBuild, Comprehend, Personalize,
#   Transcribe and flow logs. EC2, ECS tasks, Lambda and pods do not send them, and some services break with the
#   condition (CloudTrail to log groups); those are not judged, nor are service-linked roles.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html#cross-service-confused-deputy-prevention
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/security-confused-deputy-prevention.html
# custom:
#   severity: medium
#   kind: identity
#   scope_on: [service_linked, trust_services]
#   fail_on: [trust_services_unscoped]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     iso_27001_2022: [A.5.15]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-010]
#       fix:
#         cli: >-
#           aws iam update-assume-role-policy --role-name ROLE --policy-document file://trust.json (StringEquals
#           aws:SourceAccount = ACCOUNT)
#         terraform: condition { test = "StringEquals", variable = "aws:SourceAccount", values = [ACCOUNT] }
package policies.iam.service_trust_scoped

import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	identity.service_linked == false
	count(identity.trust_services) > 0
}

fail contains {
	"id": identity.id, "fact": "trust_services_unscoped", "expected": [],
	"message": sprintf("may be taken for any customer of %s: the trust policy names no source", [concat(", ", sort(identity.trust_services_unscoped))]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	count(identity.trust_services_unscoped) > 0
}
