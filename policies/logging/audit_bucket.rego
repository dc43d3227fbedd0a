# METADATA
# title: Buckets of audit logs are private, and their objects locked
# description: >-
#   An attacker deletes the evidence first. A bucket that a trail is written to must be closed to the public and keep its
#   objects locked by a default retention; `modes` lists what passes. Versioning alone does not stop who may delete
#   versions. A bucket of another account, which is best practice, is judged where that account is scanned; until then
#   nothing is said of it. Access logging of the bucket itself is not asked for.
# related_resources:
#   - https://docs.aws.amazon.com/awscloudtrail/latest/userguide/best-practices-security.html
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [audit_log_of]
#   fail_on: [policy_public, policy_public_blocked, acl_public, acl_public_blocked, object_lock, versioning]
#   params:
#     modes: [compliance, governance]
#   controls:
#     nist_800_53_r5: [AU-2, AU-12, SI-4]
#     iso_27001_2022: [A.8.15, A.8.16]
#     soc2: [A1.1]
#     pci_dss_4: [10.2.1]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-LOG-002]
#       controls:
#         aws_fsbp: [CloudTrail.6]
#         cis_aws_3.0.0: ["3.4"]
#         cis_aws_5.0.0: ["3.4"]
#         cis_aws_7.0.0: ["4.4"]
#       fix:
#         cli: >-
#           aws s3api put-object-lock-configuration --bucket BUCKET --object-lock-configuration '{"ObjectLockEnabled":
#           "Enabled", "Rule": {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 365}}}'
#         terraform: >-
#           aws_s3_bucket_object_lock_configuration { rule { default_retention { mode = "COMPLIANCE", days = 365 } } }
package policies.logging.audit_bucket

import rego.v1

modes := input.params["logging.audit_bucket"].modes

said := {
	"enabled": "nothing locks the audit log: who may delete versions can delete it",
	"suspended": "nothing locks the audit log, and its old versions are no longer kept",
	"off": "nothing locks the audit log, and no old versions are kept",
}

scope contains store.id if {
	some store in input.resources.data_store
	count(store.audit_log_of) > 0
}

fail contains {
	"id": store.id, "fact": "policy_public", "tag": "policy", "expected": "no",
	"message": "the policy of the audit log's bucket lets anyone in, and nothing blocks it",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.policy_public == "yes"
	store.policy_public_blocked == false
}

fail contains {
	"id": store.id, "fact": "acl_public", "tag": "acl", "expected": false,
	"message": "the ACL of the audit log's bucket lets anyone in, and nothing blocks it",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.acl_public == true
	store.acl_public_blocked == false
}

fail contains {
	"id": store.id, "fact": "object_lock", "tag": "lock", "expected": concat(" or ", modes),
	"message": message,
} if {
	some store in input.resources.data_store
	store.id in scope
	lock := store.object_lock
	count([mode | some mode in modes; mode == lock]) == 0
	some state, message in said
	store.versioning == state
}

policy_shut contains store.id if {
	some store in input.resources.data_store
	store.policy_public_blocked == true
}

policy_shut contains store.id if {
	some store in input.resources.data_store
	store.policy_public == "no"
}

acl_shut contains store.id if {
	some store in input.resources.data_store
	store.acl_public_blocked == true
}

acl_shut contains store.id if {
	some store in input.resources.data_store
	store.acl_public == false
}

locked contains store.id if {
	some store in input.resources.data_store
	some mode in modes
	store.object_lock == mode
}

# A block settles it whatever the policy says, and a lock whatever is known of versions.
safe contains id if {
	some id in scope
	id in policy_shut
	id in acl_shut
	id in locked
}
