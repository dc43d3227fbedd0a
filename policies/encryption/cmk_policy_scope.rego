# METADATA
# title: Key policies let nobody in but the account and accounts that are trusted
# description: >-
#   A key that anyone may use undoes encryption at rest whatever the settings of the stores are. `"Resource": "*"` in a
#   key policy means this key alone and is not held against it. Grants, which bypass the policy, count by the accounts
#   of those who have them; grants to services, which act for the account, do not. Organisation policies, which may
#   narrow the key policy, are not seen. List partners, and accounts of the own organisation, in `trusted_accounts`.
# related_resources:
#   - https://docs.aws.amazon.com/kms/latest/developerguide/key-policies.html
#   - https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-modifying-external-accounts.html
#   - https://docs.aws.amazon.com/kms/latest/developerguide/grants.html
# custom:
#   severity: critical
#   kind: key
#   scope_on: [manager]
#   fail_on: [public, foreign_accounts, granted_accounts]
#   params:
#     trusted_accounts: []
#   controls:
#     nist_800_53_r5: [AC-3, AC-6, SC-12]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#   covers:
#     AWS::KMS::Key:
#       catalog: [AWS-ENC-003]
#       controls:
#         aws_fsbp: [KMS.5]
#         cis_aws_7.0.0: ["2.21"]
#       fix:
#         cli: >-
#           aws kms put-key-policy --key-id KEY_ID --policy-name default --policy file://policy.json (name principals, or
#           add a condition on aws:PrincipalOrgID or kms:CallerAccount); of a grant: aws kms revoke-grant --key-id KEY_ID
#           --grant-id GRANT_ID
#         terraform: aws_kms_key_policy with principals named, or with a condition on aws:PrincipalOrgID
package policies.encryption.cmk_policy_scope

import rego.v1

trusted := {account | some account in input.params["encryption.cmk_policy_scope"].trusted_accounts}

scope contains key.id if {
	some key in input.resources.key
	key.manager == "customer"
}

fail contains {"id": key.id, "fact": "public", "expected": "no", "message": "anyone may use the key"} if {
	some key in input.resources.key
	key.id in scope
	key.public == "yes"
}

fail contains {
	"id": key.id, "fact": "foreign_accounts", "expected": "trusted accounts alone",
	"message": sprintf("accounts that are not trusted may use the key: %s", [concat(", ", sort(strangers))]),
} if {
	some key in input.resources.key
	key.id in scope
	strangers := {account | some account in key.foreign_accounts} - trusted
	count(strangers) > 0
}

fail contains {
	"id": key.id, "fact": "granted_accounts", "expected": "trusted accounts alone",
	"message": sprintf("accounts that are not trusted have grants to use the key: %s", [concat(", ", sort(strangers))]),
} if {
	some key in input.resources.key
	key.id in scope
	strangers := {account | some account in key.granted_accounts} - trusted
	count(strangers) > 0
}
