# METADATA
# title: Buckets of final models are copied to another bucket, under a customer-managed key
# description: >-
#   A model that took months to train must outlive the loss of a region and the encryption of a bucket by somebody else. A
#   rule that leaves objects under KMS keys out, or names no key for their copies, copies none of a bucket whose key
#   is customer-managed. `roles` lists what must be copied: checkpoints may be, at a price. How much of the bucket a rule
#   takes in, and where the copy stands, are not judged; where data may not leave a region, waive the rule.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication.html
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-config-for-kms-objects.html
# custom:
#   severity: low
#   kind: data_store
#   scope_on: [data_roles]
#   fail_on: [replicated, replica_keys, key_manager]
#   params:
#     roles: [model]
#   controls:
#     nist_800_53_r5: [AU-9(2), CP-6, CP-6(1), CP-6(2), CP-9, CP-10, SC-5(2), SC-36(2), SI-13(5)]
#     iso_27001_2022: [A.8.14]
#     soc2: [A1.2]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-RES-003]
#       controls:
#         aws_fsbp: [S3.7]
#       fix:
#         cli: aws s3api put-bucket-replication with a rule that is Enabled, SseKmsEncryptedObjects and a ReplicaKmsKeyID
#         terraform: aws_s3_bucket_replication_configuration with source_selection_criteria and encryption_configuration
package policies.integrity.store_replicated

import rego.v1

roles := input.params["integrity.store_replicated"].roles

scope contains store.id if {
	some store in input.resources.data_store
	some role in store.data_roles
	some wanted in roles
	role == wanted
}

fail contains {"id": store.id, "fact": "replicated", "expected": true, "message": "no rule copies its objects to another bucket"} if {
	some store in input.resources.data_store
	store.id in scope
	store.replicated == false
}

fail contains {
	"id": store.id, "fact": "replica_keys", "expected": true,
	"message": "objects under its customer-managed key are not copied, or the copies have no key named for them",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.replicated == true
	store.key_manager == "customer"
	store.replica_keys == false
}

safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.replicated == true
	store.replica_keys == true
}

safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.replicated == true
	store.key_manager in {"none", "provider"}
}
