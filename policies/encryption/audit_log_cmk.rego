# METADATA
# title: Audit logs are encrypted with a customer-managed key
# description: >-
#   The key's policy decides who may read the trail, apart from who may read the bucket. An organisation's trail can only
#   be changed in the management account.
# related_resources:
#   - https://docs.aws.amazon.com/awscloudtrail/latest/userguide/encrypting-cloudtrail-log-files-with-aws-kms.html
# custom:
#   severity: medium
#   kind: audit_log
#   scope_on: []
#   fail_on: [key_manager]
#   controls:
#     nist_800_53_r5: [AU-9, CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#     nist_800_171_r2: [3.3.8, 3.13.11, 3.13.16]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#   covers:
#     AWS::CloudTrail::Trail:
#       catalog: [AWS-ENC-031]
#       controls:
#         aws_fsbp: [CloudTrail.2]
#         cis_aws_3.0.0: ["3.5"]
#         cis_aws_5.0.0: ["3.5"]
#         cis_aws_7.0.0: ["4.5"]
#       fix:
#         cli: aws cloudtrail update-trail --name TRAIL --kms-key-id KEY_ARN
#         terraform: kms_key_id = aws_kms_key.NAME.arn
package policies.encryption.audit_log_cmk

import rego.v1

scope contains log.id if some log in input.resources.audit_log

fail contains {"id": log.id, "fact": "key_manager", "expected": "customer", "message": "no customer-managed key encrypts its log files"} if {
	some log in input.resources.audit_log
	log.id in scope
	log.key_manager in {"none", "provider"}
}
