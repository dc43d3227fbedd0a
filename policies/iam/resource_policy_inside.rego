# METADATA
# title: Policies of data stores let in nobody from outside the organisation
# description: >-
#   The policy of a bucket, registry, table, queue or index is the second way into the data. Outside is anyone (`*`
#   without a condition on known accounts, organisations, networks or addresses), an account that is not the owner's,
#   not of its organisation where the scan may read that, and not in `trusted_accounts`, and another organisation than
#   the account's own (where it is known; list it in `trusted_organisations`). Service principals are no accounts.
#   Whether they act for this account is for `iam.resource_policy_service_scoped`. What the organisation denies on its
#   resources counts where it was seen; else the policy is judged without it. Canonical user ids and conditions that are
#   not understood make the verdict unknown, and so does an account (or organisation) that nobody listed, where asking
#   about the own organisation failed. Principals that were deleted name nobody.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalorgid
#   - https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html
# custom:
#   severity: critical
#   kind: data_store
#   scope_on: [policy_statements]
#   fail_on: [outside_access, outside_access_settled, outside_access_resolved]
#   params:
#     trusted_accounts: []
#     trusted_organisations: []
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-2]
#     iso_27001_2022: [A.5.15]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.1, 7.2.2, 7.2.5, 7.2.6, 7.3.1, 7.3.2, 7.3.3]
#     mitre_atlas: [AML.T0035]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-IAM-016]
#       controls:
#         aws_fsbp: [S3.6]
#       fix:
#         cli: >-
#           aws s3api put-bucket-policy --bucket BUCKET --policy file://policy.json (with a condition StringEquals
#           aws:PrincipalOrgID = ORGANISATION, or without the statement)
#         terraform: >-
#           aws_s3_bucket_policy with a condition on aws:PrincipalOrgID
#     AWS::ECR::Repository:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws ecr set-repository-policy --repository-name NAME --policy-text file://policy.json (with a condition
#           StringEquals aws:PrincipalOrgID = ORGANISATION, or without the statement)
#         terraform: >-
#           aws_ecr_repository_policy with a condition on aws:PrincipalOrgID
#     AWS::DynamoDB::Table:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws dynamodb put-resource-policy --resource-arn ARN --policy file://policy.json (with a condition
#           StringEquals aws:PrincipalOrgID = ORGANISATION, or without the statement)
#         terraform: >-
#           aws_dynamodb_resource_policy with a condition on aws:PrincipalOrgID
#     AWS::S3Vectors::VectorBucket:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws s3vectors put-vector-bucket-policy --vector-bucket-name NAME --policy file://policy.json (with a
#           condition StringEquals aws:PrincipalOrgID = ORGANISATION, or without the statement)
#         terraform: >-
#           aws_s3vectors_vector_bucket_policy with a condition on aws:PrincipalOrgID
#     AWS::SQS::Queue:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws sqs set-queue-attributes --queue-url URL --attributes file://policy.json (with a condition StringEquals
#           aws:PrincipalOrgID = ORGANISATION, or without the statement)
#         terraform: >-
#           aws_sqs_queue_policy with a condition on aws:PrincipalOrgID
#     AWS::SNS::Topic:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws sns set-topic-attributes --topic-arn ARN --attribute-name Policy --attribute-value file://policy.json
#           (with a condition StringEquals aws:PrincipalOrgID = ORGANISATION, or without the statement)
#         terraform: >-
#           aws_sns_topic_policy with a condition on aws:PrincipalOrgID
#     AWS::EFS::FileSystem:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws efs put-file-system-policy --file-system-id ID --policy file://policy.json (with a condition
#           StringEquals aws:PrincipalOrgID = ORGANISATION, or without the statement)
#         terraform: >-
#           aws_efs_file_system_policy with a condition on aws:PrincipalOrgID
#     AWS::OpenSearchService::Domain:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws opensearch update-domain-config --domain-name NAME --access-policies file://policy.json (with a
#           condition StringEquals aws:PrincipalOrgID = ORGANISATION, or without the statement)
#         terraform: >-
#           aws_opensearch_domain_policy with a condition on aws:PrincipalOrgID
package policies.iam.resource_policy_inside

import rego.v1

params := input.params["iam.resource_policy_inside"]

trusted := {account | some account in params.trusted_accounts} | {name | some name in params.trusted_organisations}

scope contains store.id if {
	some store in input.resources.data_store
	count(store.policy_statements) > 0
}

fail contains {
	"id": store.id, "fact": "outside_access", "expected": "inside the organisation", "actual": [entry],
	"message": "its policy lets anyone in",
} if {
	some store in input.resources.data_store
	store.id in scope
	some entry in store.outside_access
	entry.access == "public"
}

fail contains {
	"id": store.id, "fact": "outside_access", "expected": "inside the organisation", "actual": strangers,
	"message": sprintf("its policy lets in accounts that are not trusted: %s", [concat(", ", strangers)]),
} if {
	some store in input.resources.data_store
	store.id in scope
	strangers := sort({entry.principal | some entry in store.outside_access; entry.access == "account"} - trusted)
	count(strangers) > 0
}

fail contains {
	"id": store.id, "fact": "outside_access", "expected": "inside the organisation", "actual": strangers,
	"message": sprintf("its policy lets in everyone of other organisations: %s", [concat(", ", strangers)]),
} if {
	some store in input.resources.data_store
	store.id in scope
	strangers := sort({entry.principal | some entry in store.outside_access; entry.access == "organisation"} - trusted)
	count(strangers) > 0
}

# Whether a trusted account is of the organisation does not matter.
safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.outside_access_settled == true
	entries := store.outside_access
	count({entry.principal | some entry in entries} - trusted) == 0
}
