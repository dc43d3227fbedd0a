# METADATA
# title: Buckets of golden datasets lock their objects against change
# description: >-
#   A golden dataset that somebody can overwrite is not one. Buckets are judged that are tagged as golden, or that jobs
#   read (or tags call a dataset) and nothing is seen to write to. Others are not applicable, since checkpoints and scratch
#   data must be deletable. A lock without default
#   retention protects nothing by itself. `modes` lists what passes: governance can be bypassed by those who are
#   allowed to. A bucket whose versions are deleted only with a second factor (MFA delete) passes as well; nobody needs
#   both, since MFA delete goes with no lifecycle rule and only the root user may turn it on.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type, golden]
#   fail_on: [object_lock, aws.mfa_delete]
#   params:
#     modes: [compliance, governance]
#   controls:
#     nist_800_53_r5: [SI-7, SI-7(1)]
#     iso_27001_2022: [A.8.3]
#     soc2: [PI1.5]
#     pci_dss_4: [3.5.1.3, 10.3.2, 10.3.4]
#     mitre_atlas: [AML.T0020, AML.T0059]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-DATA-002]
#       controls:
#         aws_fsbp: [S3.15]
#       fix:
#         cli: >-
#           aws s3api put-object-lock-configuration --bucket BUCKET --object-lock-configuration '{"ObjectLockEnabled":
#           "Enabled", "Rule": {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 365}}}'
#         terraform: >-
#           aws_s3_bucket_object_lock_configuration { rule { default_retention { mode = "COMPLIANCE", days = 365 } } }
package policies.integrity.store_object_lock

import rego.v1

modes := input.params["integrity.store_object_lock"].modes

said := {
	"none": "no default retention locks its objects",
	"governance": "its default retention is governance, which may be bypassed",
	"compliance": "its default retention is compliance",
}

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "bucket"
	store.golden == true
}

fail contains {"id": store.id, "fact": "object_lock", "expected": concat(" or ", modes), "message": message} if {
	some store in input.resources.data_store
	store.id in scope
	some mode, message in said
	store.object_lock == mode
	store.aws.mfa_delete == false
	count([allowed | some allowed in modes; allowed == mode]) == 0
}

# Either is enough, whatever is known of the other.
safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.aws.mfa_delete == true
}

safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.object_lock in {mode | some mode in modes}
}
