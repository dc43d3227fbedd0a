# METADATA
# title: The root user has no access keys, and MFA where it can log in
# description: >-
#   Root bypasses every control of IAM. Where the organisation removed the credentials of its members' root users, there
#   is no password and MFA is not asked for. Whether the second factor is hardware is not judged.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_root-user.html
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_root-enable-root-access.html
# custom:
#   severity: critical
#   kind: account
#   scope_on: []
#   fail_on: [root_access_keys, root_mfa, root_password]
#   controls:
#     nist_800_53_r5: [AC-2(1), AC-3(7), AC-3(15), AC-6, AC-6(2), AC-6(10), IA-2(1), IA-2(2), IA-2(6), IA-2(8)]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.4, 3.1.5, 3.1.6, 3.1.7, 3.4.6, 3.5.2, 3.5.3]
#     iso_27001_2022: [A.5.17, A.8.5]
#     soc2: [CC6.1]
#     pci_dss_4: [8.2.1, 8.2.2, 8.2.4, 8.2.5, 8.3.11, 8.4.1, 8.4.2, 8.4.3]
#   covers:
#     AWS::IAM::RootUser:
#       catalog: [AWS-CRED-003]
#       controls:
#         aws_fsbp: [IAM.4, IAM.9]
#         cis_aws_3.0.0: ["1.4", "1.5"]
#         cis_aws_5.0.0: ["1.3", "1.4"]
#         cis_aws_7.0.0: [2.1.1, "2.4", "2.5"]
#       fix:
#         console: >-
#           Log in as root, delete its access keys and add a security key; or turn on central management of root access and
#           delete the root credentials of members
package policies.credentials.root_credentials

import rego.v1

scope contains account.id if some account in input.resources.account

fail contains {"id": account.id, "fact": "root_access_keys", "expected": false, "message": "the root user has access keys"} if {
	some account in input.resources.account
	account.id in scope
	account.root_access_keys == true
}

fail contains {
	"id": account.id, "fact": "root_mfa", "expected": true,
	"message": "the root user logs in with a password alone, without MFA",
} if {
	some account in input.resources.account
	account.id in scope
	account.root_mfa == false
	account.root_password == true
}

# With MFA the password may be known or not.
safe contains account.id if {
	some account in input.resources.account
	account.root_access_keys == false
	account.root_mfa == true
}

# Without a password and without keys nobody acts as root.
safe contains account.id if {
	some account in input.resources.account
	account.root_access_keys == false
	account.root_password == false
}
