# METADATA
# title: Audit logs record who writes to buckets of AI data
# description: >-
#   Who wrote which shard of a dataset, and when, is the only lineage that an incident can be traced by. All trails and event data stores
#   of the account and of its organisation count together, as long as they are on and cover the bucket's region. A selector
#   that takes in only some objects or events of a bucket makes the verdict unknown, and so does an organisation's trail
#   whose selectors a member may not read. Access logs of S3 itself are best effort, and do not count. Buckets that
#   hold no data of the factory are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/awscloudtrail/latest/userguide/logging-data-events-with-cloudtrail.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [holds_data]
#   fail_on: [object_writes_recorded]
#   controls:
#     nist_800_53_r5: [
#       AC-2(4), AC-3(1), AC-3(10), AC-4(26), AC-6(9), AU-2, AU-3, AU-6(3), AU-6(4), AU-6(6), AU-6(9), AU-8, AU-10, AU-12,
#       AU-12(1), AU-12(2), AU-12(3), AU-12(4), AU-14, AU-14(3), CA-7, CM-5(1), CM-6, CM-9, IA-3(3), MA-4(1), PM-14,
#       PM-31, SC-7(9), SI-1(1), SI-3(8), SI-4(2), SI-4(17), SI-4(20), SI-7(8), SI-10(1)
#     ]
#     nist_800_171_r2: [3.1.12, 3.3.1, 3.3.2, 3.3.3, 3.13.1, 3.14.6, 3.14.7]
#     iso_27001_2022: [A.8.15]
#     soc2: [CC2.1, CC7.2, PI1.2]
#     pci_dss_4: [
#       10.2.1, 10.2.1.1, 10.2.1.2, 10.2.1.3, 10.2.1.4, 10.2.1.5, 10.2.1.6, 10.2.1.7, 10.2.2, 10.3.1, 10.6.3
#     ]
#     mitre_atlas: [AML.T0020]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-DATA-003]
#       controls:
#         cis_aws_3.0.0: ["3.8"]
#         cis_aws_5.0.0: ["3.8"]
#         cis_aws_7.0.0: ["4.8"]
#       fix:
#         cli: >-
#           aws cloudtrail put-event-selectors (it replaces all selectors: name those of management events too) --trail-name TRAIL --advanced-event-selectors '[{"FieldSelectors": [{"Field":
#           "eventCategory", "Equals": ["Data"]}, {"Field": "resources.type", "Equals": ["AWS::S3::Object"]}, {"Field":
#           "resources.ARN", "StartsWith": ["arn:aws:s3:::BUCKET/"]}]}]'
#         terraform: >-
#           advanced_event_selector with field_selector eventCategory = Data, resources.type = AWS::S3::Object and
#           resources.ARN starts_with the bucket's ARN and a slash
package policies.logging.object_events

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.holds_data == true
}

fail contains {
	"id": store.id, "fact": "object_writes_recorded", "expected": true,
	"message": "nobody records who writes and deletes its objects",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.object_writes_recorded == false
}
