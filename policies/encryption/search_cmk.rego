# METADATA
# title: Search and vector stores are encrypted with a customer-managed key
# description: >-
#   Embeddings can be turned back into the text they were made of, so an index is worth as much as the documents behind
#   it. Domains, serverless collections of every type, vector buckets and each of their indexes, which may have an encryption
#   of its own, are judged. Collections and vector buckets are always encrypted: what differs is whose key it
#   is. A domain that is being deleted is not judged; a plan tells the key of a collection only where it holds every
#   encryption policy that may apply.
# related_resources:
#   - https://docs.aws.amazon.com/opensearch-service/latest/developerguide/encryption-at-rest.html
#   - https://docs.aws.amazon.com/opensearch-service/latest/developerguide/serverless-encryption.html
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-data-encryption.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type, deleting]
#   fail_on: [key_manager]
#   controls:
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#     mitre_atlas: [AML.T0085.000]
#   covers:
#     AWS::OpenSearchService::Domain:
#       catalog: [AWS-ENC-023]
#       controls:
#         nist_800_53_r5: [AU-9(3), CP-9, SC-8(3), SC-8(4), SC-13, SC-28(1), SI-19(4)]
#         nist_800_171_r2: [3.13.11, 3.13.16]
#         aws_fsbp: [OpenSearch.1]
#       fix:
#         cli: >-
#           aws opensearch update-domain-config --domain-name DOMAIN --encryption-at-rest-options
#           Enabled=true,KmsKeyId=KEY_ARN; a key that is set already takes a new domain
#         terraform: encrypt_at_rest with enabled = true and kms_key_id = aws_kms_key.NAME.arn
#     AWS::OpenSearchServerless::Collection:
#       catalog: [AWS-ENC-024]
#       controls:
#         nist_800_53_r5: [SC-28, SC-28(1)]
#       fix:
#         cli: >-
#           aws opensearchserverless create-security-policy --type encryption --name NAME --policy '{"Rules":
#           [{"ResourceType": "collection", "Resource": ["collection/COLLECTION"]}], "AWSOwnedKey": false, "KmsARN":
#           "KEY_ARN"}', then make the collection anew
#         terraform: aws_opensearchserverless_security_policy of type encryption with KmsARN (the collection is made anew)
#     AWS::S3Vectors::VectorBucket:
#       catalog: [AWS-ENC-025]
#       controls:
#         nist_800_53_r5: [SC-28, SC-28(1)]
#       fix:
#         cli: >-
#           aws s3vectors create-vector-bucket --vector-bucket-name NAME --encryption-configuration
#           sseType=aws:kms,kmsKeyArn=KEY_ARN, then move the vectors there
#         terraform: encryption_configuration with sse_type = "aws:kms" and kms_key_arn (the bucket is made anew)
#     AWS::S3Vectors::Index:
#       catalog: [AWS-ENC-025]
#       controls:
#         nist_800_53_r5: [SC-28, SC-28(1)]
#       fix:
#         cli: >-
#           aws s3vectors create-index … --encryption-configuration sseType=aws:kms,kmsKeyArn=KEY_ARN, then move the vectors
#           there
#         terraform: encryption_configuration with sse_type = "aws:kms" and kms_key_arn (the index is made anew)
package policies.encryption.search_cmk

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "vectors"
}

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "search"
	store.deleting == false
}

fail contains {
	"id": store.id, "fact": "key_manager", "expected": "customer",
	"message": "nothing encrypts it at rest",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.key_manager == "none"
}

fail contains {
	"id": store.id, "fact": "key_manager", "expected": "customer",
	"message": "the key that encrypts it is the provider's own, not customer-managed",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.key_manager == "provider"
}
