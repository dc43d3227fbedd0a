# METADATA
# title: The organisation keeps its accounts from blinding themselves
# description: >-
#   Without a service control policy beyond FullAWSAccess, who takes over an account stops its trail, its threat
#   detection and deletes its keys. Each of CloudTrail, GuardDuty and KMS should lose one destructive action at least for
#   a principal that no policy names; exceptions for those who run the organisation are fine. Read from where the account
#   stands: the policies of the root, of every unit above it and its own. Member accounts may mostly not read them, which
#   is unknown. The management account, which no such policy reaches, and accounts of no organisation are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_examples.html
# custom:
#   severity: medium
#   kind: account
#   scope_on: [organisation_in_use, management_account]
#   fail_on: [guarded_services]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6, AC-6(10)]
#     nist_800_171_r2: [3.1.5, 3.1.7]
#     iso_27001_2022: [A.5.15, A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::Organizations::Organization:
#       catalog: [AWS-IAM-015]
#       fix:
#         cli: >-
#           aws organizations create-policy --type SERVICE_CONTROL_POLICY --name keep-records --description TEXT --content
#           file://policy.json (Deny cloudtrail:StopLogging, guardduty:DeleteDetector, kms:ScheduleKeyDeletion), then
#           attach-policy --policy-id ID --target-id ROOT
#         terraform: aws_organizations_policy and aws_organizations_policy_attachment
package policies.iam.organisation_guardrails

import rego.v1

guarded := {"cloudtrail", "guardduty", "kms"}

scope contains account.id if {
	some account in input.resources.account
	account.organisation_in_use == true
	count(account.management_account) > 0
	contains(account.id, sprintf("::%s:", [account.management_account])) == false
}

fail contains {
	"id": account.id, "fact": "guarded_services", "expected": sort(guarded), "actual": kept,
	"message": sprintf("no policy of the organisation protects %s", [concat(", ", sort(missing))]),
} if {
	some account in input.resources.account
	account.id in scope
	kept := account.guarded_services
	missing := guarded - {service | some service in kept}
	count(missing) > 0
}
