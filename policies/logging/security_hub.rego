# METADATA
# title: Security Hub is on with the standard of best practices in every region in use
# description: >-
#   Security Hub is where findings of all scanners meet, and its standard checks the account between two scans. Regions
#   without a network of the account's own, an instance or a service for models are not judged. The newer Security Hub (v2) is another
#   service and not seen; who uses another tool for it waives the rule.
# related_resources:
#   - https://docs.aws.amazon.com/securityhub/latest/userguide/fsbp-standard.html
# custom:
#   severity: low
#   kind: account
#   scope_on: [in_use]
#   fail_on: [security_hub, best_practices_standard]
#   controls:
#     nist_800_53_r5: [AU-6(1), AU-6(5), AU-12(3), AU-14, CA-2, CA-7, PM-14, PM-31]
#     nist_800_171_r2: [
#       3.1.12, 3.3.1, 3.3.4, 3.3.5, 3.6.1, 3.6.2, 3.11.2, 3.11.3, 3.12.4, 3.13.1, 3.14.1, 3.14.2, 3.14.3, 3.14.6, 3.14.7
#     ]
#     iso_27001_2022: [A.8.15]
#     soc2: [CC3.1, CC6.8, CC7.1, CC7.2, CC7.3, CC7.4]
#     pci_dss_4: [10.2.1.1, 10.4.1, 10.4.1.1, 10.4.2, 10.6.3, 10.7.1, 10.7.2]
#   covers:
#     AWS::SecurityHub::Hub:
#       catalog: [AWS-LOG-005]
#       controls:
#         cis_aws_3.0.0: ["4.16"]
#         cis_aws_5.0.0: ["4.16"]
#         cis_aws_7.0.0: ["5.16"]
#       fix:
#         cli: aws securityhub enable-security-hub --enable-default-standards
#         terraform: aws_securityhub_account, and aws_securityhub_standards_subscription of aws-foundational-security-best-practices
package policies.logging.security_hub

import rego.v1

states := {
	"off": "the standard of best practices is not on",
	"starting": "the standard of best practices is not ready yet",
	"failed": "the standard of best practices could not be turned on",
}

scope contains account.id if {
	some account in input.resources.account
	account.in_use == true
}

fail contains {"id": account.id, "fact": "security_hub", "expected": true, "message": "Security Hub is not on"} if {
	some account in input.resources.account
	account.id in scope
	account.security_hub == false
}

fail contains {"id": account.id, "fact": "best_practices_standard", "expected": "ready", "message": message} if {
	some account in input.resources.account
	account.id in scope
	account.security_hub == true
	some state, message in states
	account.best_practices_standard == state
}
