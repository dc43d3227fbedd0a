# METADATA
# title: Access keys are rotated, and unused ones are turned off
# description: >-
#   Age bounds the life of a leaked key. A key fails after `max_days` since it was made, and after `unused_days` without
#   a use; one that was never used counts from the day it was made. Turning a key off and on again does not make it
#   younger. Console passwords and second keys of a user are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id-credentials-access-keys-update.html
# custom:
#   severity: high
#   kind: credential
#   scope_on: [credential_type, active]
#   fail_on: [created, last_used]
#   params:
#     max_days: 90
#     unused_days: 45
#   controls:
#     nist_800_53_r5: [AC-2, AC-2(1), AC-2(3), AC-3, AC-3(7), AC-3(15), AC-6]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.4, 3.1.5, 3.5.6, 3.5.7, 3.5.8]
#     iso_27001_2022: [A.5.16]
#     soc2: [CC1.3]
#     pci_dss_4: [8.2.6, 8.3.5, 8.3.7, 8.3.9, 8.3.10.1, 8.6.3]
#   covers:
#     AWS::IAM::AccessKey:
#       catalog: [AWS-CRED-002]
#       controls:
#         aws_fsbp: [IAM.3, IAM.8, IAM.22]
#         cis_aws_3.0.0: ["1.12", "1.14"]
#         cis_aws_5.0.0: ["1.11", "1.13"]
#         cis_aws_7.0.0: ["2.11", "2.12"]
#       fix:
#         cli: >-
#           aws iam create-access-key --user-name USER, move the users of the old key, then aws iam update-access-key
#           --access-key-id KEY --status Inactive
#         terraform: replace aws_iam_access_key, or better use a role
package policies.credentials.access_key_age

import data.policies.lib.moment
import rego.v1

max_days := input.params["credentials.access_key_age"].max_days

unused_days := input.params["credentials.access_key_age"].unused_days

scope contains credential.id if {
	some credential in input.resources.credential
	credential.credential_type == "access_key"
	credential.active == true
}

fail contains {
	"id": credential.id, "fact": "created", "expected": sprintf("at most %d days ago", [max_days]),
	"message": sprintf("the key is %d days old", [days]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	days := moment.days_since(credential.created)
	days > max_days
}

fail contains {
	"id": credential.id, "fact": "last_used", "expected": sprintf("at most %d days ago", [unused_days]),
	"message": sprintf("the key was not used for %d days and still works", [days]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	days := moment.days_since(credential.last_used)
	days > unused_days
}

fail contains {
	"id": credential.id, "fact": "last_used", "expected": sprintf("at most %d days ago", [unused_days]),
	"message": sprintf("the key was never used in %d days and still works", [days]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.last_used == "never"
	days := moment.days_since(credential.created)
	days > unused_days
}
