# METADATA
# title: Secrets rotate automatically, and have done so lately
# description: >-
#   A token of a hub or registry that never changes is a door for whoever once read it. A secret fails where rotation is
#   off, where its schedule leaves more than `max_days` between rotations, where the last one is longer ago than that,
#   and where it is `late_days` overdue: rotation can be on and fail. One that has not rotated yet is given `max_days`
#   from its last change. Secrets that a service made and rotates itself, copies in other regions (they follow the first)
#   and secrets that are being deleted are not judged. Whether what the secret opens was changed is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotating-secrets.html
# custom:
#   severity: medium
#   kind: credential
#   scope_on: [credential_type, managed_by, replica]
#   fail_on: [rotation_enabled, rotation_days, last_rotated, last_changed]
#   params:
#     max_days: 90
#     late_days: 7
#   controls:
#     nist_800_53_r5: [AC-2(1), AC-3(15)]
#     iso_27001_2022: [A.5.16]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1, 8.2.2, 8.3.2, 8.3.5, 8.3.7, 8.3.9, 8.3.10.1, 8.6.3]
#   covers:
#     AWS::SecretsManager::Secret:
#       catalog: [AWS-CRED-010]
#       controls:
#         aws_fsbp: [SecretsManager.1, SecretsManager.4]
#       fix:
#         cli: >-
#           aws secretsmanager rotate-secret --secret-id SECRET --rotation-lambda-arn FUNCTION --rotation-rules
#           AutomaticallyAfterDays=30
#         terraform: aws_secretsmanager_secret_rotation with rotation_rules { automatically_after_days = 30 }
package policies.credentials.secret_rotation

import data.policies.lib.moment
import rego.v1

max_days := input.params["credentials.secret_rotation"].max_days

late_days := input.params["credentials.secret_rotation"].late_days

scope contains credential.id if {
	some credential in input.resources.credential
	credential.credential_type == "secret"
	credential.managed_by == ""
	credential.replica == false
}

fail contains {
	"id": credential.id, "fact": "rotation_enabled", "expected": true, "tag": "off",
	"message": "it does not rotate automatically",
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.rotation_enabled == false
}

fail contains {
	"id": credential.id, "fact": "rotation_days", "expected": sprintf("at most %d", [max_days]), "tag": "schedule",
	"message": sprintf("it rotates only every %d days", [credential.rotation_days]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.rotation_enabled == true
	credential.rotation_days > max_days
}

fail contains {
	"id": credential.id, "fact": "last_rotated", "expected": sprintf("at most %d days ago", [max_days]), "tag": "age",
	"message": sprintf("it last rotated %d days ago", [days]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.rotation_enabled == true
	days := moment.days_since(credential.last_rotated)
	days > max_days
}

fail contains {
	"id": credential.id, "fact": "last_rotated", "expected": sprintf("at most %d days ago", [limit]), "tag": "late",
	"message": sprintf("it should rotate every %d days and last did %d days ago", [credential.rotation_days, days]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.rotation_enabled == true
	credential.rotation_days > 0
	limit := credential.rotation_days + late_days
	days := moment.days_since(credential.last_rotated)
	days > limit
	days <= max_days
}

fail contains {
	"id": credential.id, "fact": "last_rotated", "expected": sprintf("at most %d days ago", [max_days]), "tag": "age",
	"message": sprintf("it has never rotated, and was last changed %d days ago", [days]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.rotation_enabled == true
	credential.last_rotated == "never"
	days := moment.days_since(credential.last_changed)
	days > max_days
}

# One that a plan makes has never rotated because it is new: its schedule settles it.
safe contains credential.id if {
	some credential in input.resources.credential
	credential.id in scope
	startswith(credential.id, "plan/")
	credential.last_rotated == "never"
	credential.rotation_enabled == true
	credential.rotation_days <= max_days
}
