# METADATA
# title: Audit trails are on and sign their files
# description: >-
#   A trail that is off, or of which files can be changed unseen, is no evidence. Whether the account has a trail of all
#   events of every region is `logging.account_trail`: a second trail may well cover less, but then it must still be on
#   and signed. One such trail is less than an account without a record, so it is high and not critical.
# related_resources:
#   - https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-log-file-validation-intro.html
# custom:
#   severity: high
#   kind: audit_log
#   scope_on: []
#   fail_on: [logging, validation]
#   controls:
#     nist_800_53_r5: [
#       AC-2(4), AC-4(26), AC-6(9), AU-2, AU-3, AU-6(3), AU-6(4), AU-9, AU-10, AU-12, AU-14(1), CA-7, SA-8(22), SC-7(9),
#       SI-3(8), SI-4, SI-4(20), SI-7(1), SI-7(3), SI-7(7), SI-7(8)
#     ]
#     nist_800_171_r2: [3.1.12, 3.3.1, 3.3.2, 3.3.3, 3.3.8, 3.4.1, 3.6.1, 3.6.2, 3.13.1, 3.13.2, 3.14.6, 3.14.7]
#     iso_27001_2022: [A.8.15, A.8.16]
#     soc2: [A1.1, CC2.1, CC7.2, CC7.3, PI1.3]
#     pci_dss_4: [
#       10.2.1, 10.2.1.1, 10.2.1.2, 10.2.1.3, 10.2.1.4, 10.2.1.5, 10.2.1.6, 10.2.1.7, 10.2.2, 10.3.1, 10.3.2, 10.3.3,
#       10.3.4, 10.6.3
#     ]
#   covers:
#     AWS::CloudTrail::Trail:
#       catalog: [AWS-LOG-001]
#       controls:
#         aws_fsbp: [CloudTrail.1, CloudTrail.4]
#         cis_aws_3.0.0: ["3.1", "3.2"]
#         cis_aws_5.0.0: ["3.1", "3.2"]
#         cis_aws_7.0.0: ["4.1", "4.2"]
#       fix:
#         cli: >-
#           aws cloudtrail start-logging --name TRAIL && aws cloudtrail update-trail --name TRAIL
#           --enable-log-file-validation
#         terraform: enable_logging = true and enable_log_file_validation = true
package policies.logging.trail_complete

import rego.v1

scope contains log.id if some log in input.resources.audit_log

fail contains {"id": log.id, "fact": "logging", "expected": true, "message": "the trail is off"} if {
	some log in input.resources.audit_log
	log.id in scope
	log.logging == false
}

fail contains {"id": log.id, "fact": "validation", "expected": true, "message": "its files are not signed"} if {
	some log in input.resources.audit_log
	log.id in scope
	log.validation == false
}
