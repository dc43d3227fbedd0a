# METADATA
# title: No IAM user has an active access key
# description: >-
#   Long-lived keys in notebooks and containers are how clouds are lost. Give the work a role (Pod Identity, IRSA, Roles
#   Anywhere, OIDC). In a plan every key that it makes active fails. Waive keys of vendors that can do nothing else.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html
# custom:
#   severity: high
#   kind: credential
#   scope_on: [credential_type]
#   fail_on: [active]
#   controls:
#     nist_800_53_r5: [AC-2, IA-5]
#     iso_27001_2022: [A.5.16]
#     soc2: [CC6.1]
#     pci_dss_4: [8.6.2]
#     mitre_atlas: [AML.T0055]
#   covers:
#     AWS::IAM::AccessKey:
#       catalog: [AWS-CRED-001]
#       fix:
#         cli: aws iam update-access-key --access-key-id KEY --status Inactive --user-name USER, then delete-access-key
#         terraform: remove aws_iam_access_key and use a role
package policies.credentials.user_access_keys

import rego.v1

scope contains credential.id if {
	some credential in input.resources.credential
	credential.credential_type == "access_key"
}

fail contains {"id": credential.id, "fact": "active", "expected": false, "message": "a long-lived access key is active"} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.active == true
}
