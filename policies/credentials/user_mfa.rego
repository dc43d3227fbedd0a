# METADATA
# title: Every user that can log in with a password has a second factor
# description: >-
#   A password alone guards the research console. Any kind of device counts. On AWS both are as the account's credential
#   report says, which is four hours old at most; users made since are asked about. A plan does not tell whether who gets
#   a password has a device. Users of IAM Identity Center are not IAM users and are not seen.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa.html
# custom:
#   severity: high
#   kind: identity
#   scope_on: [identity_type, console_password]
#   fail_on: [mfa]
#   controls:
#     nist_800_53_r5: [AC-2(1), AC-3(15), IA-2(1), IA-2(2), IA-2(6), IA-2(8)]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.14, 3.5.2, 3.5.3]
#     iso_27001_2022: [A.5.17, A.8.5]
#     soc2: [CC6.1]
#     pci_dss_4: [8.4.1, 8.4.2, 8.4.3]
#   covers:
#     AWS::IAM::User:
#       catalog: [AWS-CRED-004]
#       controls:
#         aws_fsbp: [IAM.5]
#         cis_aws_3.0.0: ["1.10"]
#         cis_aws_5.0.0: ["1.9"]
#         cis_aws_7.0.0: ["2.10"]
#       fix:
#         cli: "aws iam enable-mfa-device …, or aws iam delete-login-profile --user-name USER"
#         console: Move people to IAM Identity Center
package policies.credentials.user_mfa

import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	identity.identity_type == "user"
	identity.console_password == true
}

fail contains {"id": identity.id, "fact": "mfa", "expected": true, "message": "logs in with a password alone, without MFA"} if {
	some identity in input.resources.identity
	identity.id in scope
	identity.mfa == false
}
