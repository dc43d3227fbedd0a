# METADATA
# title: Services come to data stores for this account only
# description: >-
#   A policy that lets in a service without a condition on `aws:SourceAccount` or `aws:SourceArn` lets in every customer
#   of that service who can make it come; a Deny of everyone else counts too, of the organisation's policies where seen.
#   Judged are services whose documentation says that they send the keys (Bedrock, CloudTrail, Config, delivery of logs,
#   EventBridge, S3 and its access logs, SNS); others are not.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html#cross-service-confused-deputy-prevention
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [policy_statements]
#   fail_on: [services_unscoped]
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-2]
#     iso_27001_2022: [A.5.15]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.1, 7.2.2]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws s3api put-bucket-policy --bucket BUCKET --policy file://policy.json (with a condition StringEquals
#           aws:SourceAccount = ACCOUNT on the statement)
#         terraform: >-
#           aws_s3_bucket_policy with a condition on aws:SourceAccount
#     AWS::ECR::Repository:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws ecr set-repository-policy --repository-name NAME --policy-text file://policy.json (with a condition
#           StringEquals aws:SourceAccount = ACCOUNT on the statement)
#         terraform: >-
#           aws_ecr_repository_policy with a condition on aws:SourceAccount
#     AWS::SQS::Queue:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws sqs set-queue-attributes --queue-url URL --attributes file://policy.json (with a condition StringEquals
#           aws:SourceAccount = ACCOUNT on the statement)
#         terraform: >-
#           aws_sqs_queue_policy with a condition on aws:SourceAccount
#     AWS::SNS::Topic:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws sns set-topic-attributes --topic-arn ARN --attribute-name Policy --attribute-value file://policy.json
#           (with a condition StringEquals aws:SourceAccount = ACCOUNT on the statement)
#         terraform: >-
#           aws_sns_topic_policy with a condition on aws:SourceAccount
package policies.iam.resource_policy_service_scoped

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	count(store.policy_statements) > 0
}

fail contains {
	"id": store.id, "fact": "services_unscoped", "expected": [],
	"message": sprintf("its policy lets in %s for any customer of theirs: it names no source", [concat(", ", sort(store.services_unscoped))]),
} if {
	some store in input.resources.data_store
	store.id in scope
	count(store.services_unscoped) > 0
}
