# METADATA
# title: Buckets refuse TLS below the minimum version
# description: >-
#   Once plain HTTP is refused, this closes the downgrade. AWS's own endpoints refuse TLS below 1.2 already, so with 1.2
#   the policy is evidence; with `min_version` 1.3 it refuses old SDKs too.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html
# custom:
#   severity: low
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [tls_min_version]
#   params:
#     min_version: "1.2"
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1), SC-13]
#     nist_800_171_r2: [3.13.8]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-TLS-008]
#       fix:
#         cli: >-
#           aws s3api put-bucket-policy --bucket BUCKET --policy file://policy.json (Deny, Principal "*", s3:*, with
#           NumericLessThan {"s3:TlsVersion": "1.2"})
#         terraform: aws_s3_bucket_policy with a Deny of s3:* to everyone where s3:TlsVersion is less than 1.2
package policies.transit.store_tls_version

import rego.v1

min_version := input.params["transit.store_tls_version"].min_version

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "bucket"
}

fail contains {
	"id": store.id, "fact": "tls_min_version", "expected": sprintf("%s or later", [min_version]),
	"message": "its policy sets no minimum TLS version",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.tls_min_version == "any"
}

fail contains {
	"id": store.id, "fact": "tls_min_version", "expected": sprintf("%s or later", [min_version]),
	"message": sprintf("its policy admits TLS %s", [store.tls_min_version]),
} if {
	some store in input.resources.data_store
	store.id in scope
	store.tls_min_version < min_version
}
