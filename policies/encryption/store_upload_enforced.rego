# METADATA
# title: Buckets of AI data refuse uploads under any other key
# description: >-
#   Default encryption is only a default: a caller may name a key of somebody else, or bring one (SSE-C), and lock the data
#   away for ransom. The policy must deny s3:PutObject to everyone who names another key than those written out (a pattern
#   is no name), and SSE-C must be blocked by the bucket or denied by the policy. A Deny for some callers or objects only
#   makes the verdict unknown. What policies of the organisation (RCP, SCP) deny besides is not seen: it may mitigate the
#   finding. Buckets that hold no data of the factory are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/specifying-kms-encryption.html
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/blocking-unblocking-s3-c-encryption-gpb.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [holds_data]
#   fail_on: [upload_key_enforced, customer_keys_refused]
#   controls:
#     nist_800_53_r5: [AC-3, SC-28]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#     mitre_atlas: [AML.T0076]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-ENC-005]
#       fix:
#         cli: >-
#           Deny s3:PutObject to * with the condition {"StringNotEqualsIfExists": {"s3:x-amz-server-side-encryption-aws-kms-key-id":
#           "KEY_ARN"}} (IfExists spares uploads that leave the key to the bucket), and aws s3api put-bucket-encryption with
#           BlockedEncryptionTypes SSE-C
#         terraform: >-
#           aws_s3_bucket_policy with the same Deny, and blocked_encryption_types = ["SSE-C"] in
#           aws_s3_bucket_server_side_encryption_configuration
package policies.encryption.store_upload_enforced

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.holds_data == true
}

fail contains {
	"id": store.id, "fact": "upload_key_enforced", "tag": "key", "expected": true,
	"message": "uploads may name any key, such as one of another account",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.upload_key_enforced == false
}

fail contains {
	"id": store.id, "fact": "customer_keys_refused", "tag": "sse-c", "expected": true,
	"message": "uploads may bring a key of the caller's own (SSE-C)",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.customer_keys_refused == false
}
