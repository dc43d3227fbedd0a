# METADATA
# title: A threat detector is on in every region in use
# description: >-
#   GuardDuty finds miners on GPUs, stolen credentials and theft of data from the account's own logs. Regions without a
#   network of the account's own, an instance or a service for models are not judged. What the detector watches is judged by
#   logging.threat_protections.
# related_resources:
#   - https://docs.aws.amazon.com/guardduty/latest/ug/guardduty_settingup.html
# custom:
#   severity: high
#   kind: account
#   scope_on: [in_use]
#   fail_on: [threat_detection]
#   controls:
#     nist_800_53_r5: [
#       AC-2(12), AU-6(1), AU-6(5), CA-7, CM-8(3), RA-3(4), SA-8(19), SA-8(21), SA-8(25), SA-11(1), SA-11(6), SA-15(2),
#       SA-15(8), SC-5, SC-5(1), SC-5(3), SI-3(8), SI-4, SI-4(1), SI-4(2), SI-4(4), SI-4(5), SI-4(13), SI-4(22), SI-4(25),
#       SI-20
#     ]
#     nist_800_171_r2: [
#       3.1.12, 3.3.1, 3.3.2, 3.3.4, 3.3.5, 3.6.1, 3.6.2, 3.11.2, 3.11.3, 3.12.4, 3.13.1, 3.14.1, 3.14.2, 3.14.3, 3.14.4,
#       3.14.6, 3.14.7
#     ]
#     iso_27001_2022: [A.5.28, A.8.15]
#     soc2: [CC3.1, CC3.2, CC4.2, CC6.8, CC7.1, CC7.2, CC7.3, CC7.4]
#     pci_dss_4: [11.5.1, 11.5.1.1]
#   covers:
#     AWS::GuardDuty::Detector:
#       catalog: [AWS-LOG-004]
#       controls:
#         aws_fsbp: [GuardDuty.1]
#       fix:
#         cli: aws guardduty create-detector --enable
#         terraform: aws_guardduty_detector with enable = true
package policies.logging.threat_detection

import rego.v1

scope contains account.id if {
	some account in input.resources.account
	account.in_use == true
}

fail contains {
	"id": account.id, "fact": "threat_detection", "expected": true,
	"message": "no threat detector watches the region",
} if {
	some account in input.resources.account
	account.id in scope
	account.threat_detection == false
}
