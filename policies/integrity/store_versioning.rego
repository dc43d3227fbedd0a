# METADATA
# title: Buckets keep old versions of their objects
# description: >-
#   After poisoned data or an overwritten checkpoint, versions are the way back and the evidence of what changed. All
#   buckets are judged, since a bucket of scratch data cannot be told apart: waive those. Let old versions of checkpoints
#   expire, or they cost more than the new ones.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [versioning]
#   controls:
#     nist_800_53_r5: [AU-9(2), CP-6, CP-6(1), CP-6(2), CP-9, CP-10, SC-5(2), SI-12, SI-13(5)]
#     nist_800_171_r2: [3.3.8]
#     iso_27001_2022: [A.8.3]
#     soc2: [A1.1, C1.2, CC7.4, PI1.5]
#     pci_dss_4: [10.3.4]
#     mitre_atlas: [AML.T0020, AML.T0076]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-DATA-001]
#       controls:
#         aws_fsbp: [S3.14]
#       fix:
#         cli: aws s3api put-bucket-versioning --bucket BUCKET --versioning-configuration Status=Enabled
#         terraform: "aws_s3_bucket_versioning { versioning_configuration { status = \"Enabled\" } }"
package policies.integrity.store_versioning

import rego.v1

said := {"off": "keeps no old versions", "suspended": "has stopped keeping old versions"}

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "bucket"
}

fail contains {"id": store.id, "fact": "versioning", "expected": "enabled", "message": said[store.versioning]} if {
	some store in input.resources.data_store
	store.id in scope
	store.versioning in {"off", "suspended"}
}
