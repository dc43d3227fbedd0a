# METADATA
# title: Buckets refuse requests without TLS
# description: >-
#   A data loader that is configured with an http endpoint sends datasets in clear text, and nothing warns it. The policy
#   must deny everyone every S3 action, on the bucket and on its objects, where `aws:SecureTransport` is false; a Deny on
#   the objects alone, on some actions, or with a second condition leaves a way. All buckets are judged. A Deny by an
#   organisation's resource control policy is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-bucket-policies.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [tls_only]
#   controls:
#     nist_800_53_r5: [AC-4, AC-17(2), IA-5(1), SC-7(4), SC-8, SC-8(1), SC-8(2), SC-12(3), SC-13, SC-23, SC-23(3), SI-7(6)]
#     nist_800_171_r2: [3.1.13, 3.5.10, 3.13.1, 3.13.5, 3.13.8, 3.13.11, 3.13.16]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [2.2.5, 2.2.7, 4.2.1, 4.2.1.1, 8.3.2]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-TLS-007]
#       controls:
#         aws_fsbp: [S3.5]
#         cis_aws_3.0.0: [2.1.1]
#         cis_aws_5.0.0: [2.1.1]
#         cis_aws_7.0.0: [3.1.1]
#       fix:
#         cli: >-
#           aws s3api put-bucket-policy --bucket BUCKET --policy file://policy.json (Deny, Principal "*", s3:*, on the
#           bucket and bucket/*, with Bool {"aws:SecureTransport": "false"})
#         terraform: >-
#           aws_s3_bucket_policy with a Deny of s3:* to everyone where aws:SecureTransport is false, on the bucket and
#           bucket/*
package policies.transit.store_tls_only

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "bucket"
}

fail contains {
	"id": store.id, "fact": "tls_only", "expected": true,
	"message": "its policy does not deny every request without TLS",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.tls_only == false
}
