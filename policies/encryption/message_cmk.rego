# METADATA
# title: Queues, topics and streams are encrypted with a customer-managed key
# description: >-
#   Ingestion events and prompts wait in queues, topics and streams. With a key of the provider's own there is no key
#   policy, no record of use and no switch to turn the messages off. SQS encrypts new queues by itself with a key of its
#   own, topics and streams are clear unless somebody says otherwise: the message tells them apart, the severity does not.
#   Every queue, topic and stream of the account is judged, not only those of AI pipelines.
# related_resources:
#   - https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-server-side-encryption.html
#   - https://docs.aws.amazon.com/sns/latest/dg/sns-server-side-encryption.html
#   - https://docs.aws.amazon.com/streams/latest/dev/server-side-encryption.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [key_manager]
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#     nist_800_171_r2: [3.13.11, 3.13.16]
#     iso_27001_2022: [A.8.24]
#     soc2: [PI1.4]
#     pci_dss_4: [3.5.1]
#   covers:
#     AWS::SQS::Queue:
#       catalog: [AWS-ENC-022]
#       controls:
#         aws_fsbp: [SQS.1]
#       fix:
#         cli: aws sqs set-queue-attributes --queue-url URL --attributes KmsMasterKeyId=KEY_ARN
#         terraform: kms_master_key_id = aws_kms_key.NAME.arn, and let the producing services use the key in its policy
#     AWS::SNS::Topic:
#       catalog: [AWS-ENC-022]
#       controls:
#         aws_fsbp: [SNS.1]
#       fix:
#         cli: aws sns set-topic-attributes --topic-arn ARN --attribute-name KmsMasterKeyId --attribute-value KEY_ARN
#         terraform: kms_master_key_id = aws_kms_key.NAME.arn, and let the publishing services use the key in its policy
#     AWS::Kinesis::Stream:
#       catalog: [AWS-ENC-022]
#       controls:
#         aws_fsbp: [Kinesis.1]
#       fix:
#         cli: aws kinesis start-stream-encryption --stream-name STREAM --encryption-type KMS --key-id KEY_ARN
#         terraform: encryption_type = "KMS" and kms_key_id = aws_kms_key.NAME.arn
package policies.encryption.message_cmk

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type in {"queue", "topic", "stream"}
}

fail contains {
	"id": store.id, "fact": "key_manager", "expected": "customer",
	"message": "nothing encrypts the messages in it",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.key_manager == "none"
}

fail contains {
	"id": store.id, "fact": "key_manager", "expected": "customer",
	"message": "the key that encrypts its messages is the provider's own, not customer-managed",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.key_manager == "provider"
}
