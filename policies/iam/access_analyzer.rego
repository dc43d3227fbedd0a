# METADATA
# title: IAM Access Analyzer looks for external access in every region in use, and for unused access
# description: >-
#   An analyser is the provider's own proof of who reaches into the account, which auditors trust. One of the organisation
#   counts where the account that administers it is scanned as well; otherwise the verdict is unknown in members. The
#   analysis of unused access is billed by the identity: set `unused` to false not to ask for it. Regions without a
#   network of the account's own, an instance or a service for models are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/what-is-access-analyzer.html
# custom:
#   severity: low
#   kind: account
#   scope_on: [in_use]
#   fail_on: [external_access_analyzed, unused_access_analyzed]
#   params:
#     unused: true
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::AccessAnalyzer::Analyzer:
#       catalog: [AWS-IAM-017]
#       controls:
#         cis_aws_3.0.0: ["1.20"]
#         cis_aws_5.0.0: ["1.19"]
#         cis_aws_7.0.0: ["2.18"]
#       fix:
#         cli: aws accessanalyzer create-analyzer --type ACCOUNT --analyzer-name external
#         terraform: aws_accessanalyzer_analyzer with type = "ACCOUNT", and one with type = "ACCOUNT_UNUSED_ACCESS"
package policies.iam.access_analyzer

import rego.v1

unused := input.params["iam.access_analyzer"].unused

scope contains account.id if {
	some account in input.resources.account
	account.in_use == true
}

fail contains {
	"id": account.id, "fact": "external_access_analyzed", "tag": "external", "expected": true,
	"message": "no analyser looks for access from outside in the region",
} if {
	some account in input.resources.account
	account.id in scope
	account.external_access_analyzed == false
}

fail contains {
	"id": account.id, "fact": "unused_access_analyzed", "tag": "unused", "expected": true,
	"message": "no analyser of any region looks for unused access",
} if {
	some account in input.resources.account
	account.id in scope
	unused == true
	account.unused_access_analyzed == false
}

safe contains account.id if {
	some account in input.resources.account
	account.id in scope
	unused == false
	account.external_access_analyzed == true
}
