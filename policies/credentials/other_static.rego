# METADATA
# title: Users have no static credentials beside passwords and access keys
# description: >-
#   Forgotten side doors of a user: Git passwords and SSH keys of CodeCommit, passwords of Keyspaces, API keys of
#   CloudWatch Logs, signing certificates, and Bedrock API keys that end some day (of those that are made for long, and of
#   those that never end, `credentials.bedrock_api_keys` says more). SSH keys of IAM open CodeCommit alone and have nothing
#   to do with key pairs of EC2.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_ssh-keys.html
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_service-specific-creds.html
# custom:
#   severity: medium
#   kind: credential
#   scope_on: [credential_type, service, valid_days]
#   fail_on: [active]
#   controls:
#     nist_800_53_r5: [AC-2, IA-5]
#     nist_800_171_r2: [3.5.2]
#     iso_27001_2022: [A.5.17]
#     soc2: [CC6.1]
#     pci_dss_4: [8.6.2]
#   covers:
#     AWS::IAM::ServiceSpecificCredential:
#       catalog: [AWS-CRED-005, AWS-CRED-006]
#       fix:
#         cli: aws iam delete-service-specific-credential --user-name USER --service-specific-credential-id ID
#         terraform: remove aws_iam_service_specific_credential, and give the work a role
#     AWS::IAM::SSHPublicKey:
#       catalog: [AWS-CRED-006]
#       fix:
#         cli: aws iam delete-ssh-public-key --user-name USER --ssh-public-key-id ID, and use git-remote-codecommit with a role
#         terraform: remove aws_iam_user_ssh_key
#     AWS::IAM::SigningCertificate:
#       catalog: [AWS-CRED-006]
#       fix:
#         cli: aws iam delete-signing-certificate --user-name USER --certificate-id ID
#         terraform: remove aws_iam_signing_certificate
package policies.credentials.other_static

import rego.v1

bedrock := "bedrock.amazonaws.com"

scope contains credential.id if {
	some credential in input.resources.credential
	credential.credential_type in {"service_specific", "ssh_key", "signing_certificate"}
	credential.service != bedrock
}

scope contains credential.id if {
	some credential in input.resources.credential
	credential.credential_type == "service_specific"
	credential.service == bedrock
	credential.valid_days > 0
}

fail contains {
	"id": credential.id, "fact": "active", "expected": false,
	"message": sprintf("a static credential for %s works", [credential.service]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.active == true
}
