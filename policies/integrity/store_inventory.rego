# METADATA
# title: Buckets of golden datasets publish an inventory with checksums
# description: >-
#   A list of all shards with their checksums is what a manifest of the dataset can be compared with. It must go to
#   another bucket. `levels` lists what passes: `etag`, a list with ETags and encryption, is weaker, since an ETag is no hash of the
#   content of objects that came in parts or lie under KMS keys. An inventory tells the algorithm; whether the hashes fit,
#   object by object, is not looked at, and neither are S3 Metadata tables, which do as well: waive the rule for them.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory.html
# custom:
#   severity: low
#   kind: data_store
#   scope_on: [golden]
#   fail_on: [inventory]
#   params:
#     levels: [checksum]
#   controls:
#     nist_800_53_r5: [CM-8, SI-7, SI-7(1)]
#     iso_27001_2022: [A.8.9]
#     soc2: [PI1.2]
#     pci_dss_4: [11.5.2]
#     mitre_atlas: [AML.T0059]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-DATA-004]
#       fix:
#         cli: aws s3api put-bucket-inventory-configuration with OptionalFields ChecksumAlgorithm and another bucket as destination
#         terraform: aws_s3_bucket_inventory with optional_fields = ["ChecksumAlgorithm"]
package policies.integrity.store_inventory

import rego.v1

levels := input.params["integrity.store_inventory"].levels

said := {
	"none": "no inventory lists its objects elsewhere",
	"plain": "its inventory has neither checksums nor ETags",
	"etag": "its inventory has ETags, which prove no content, and no checksums",
	"checksum": "its inventory has checksums",
}

scope contains store.id if {
	some store in input.resources.data_store
	store.golden == true
}

fail contains {"id": store.id, "fact": "inventory", "expected": concat(" or ", levels), "message": message} if {
	some store in input.resources.data_store
	store.id in scope
	some level, message in said
	store.inventory == level
	count([allowed | some allowed in levels; allowed == level]) == 0
}
