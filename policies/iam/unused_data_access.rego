# METADATA
# title: Roles and users that reach data, models or secrets are used
# description: >-
#   A role or user that nobody misses is a free way back in. One fails that may read or change data, models or secrets and
#   was not used for `max_days`, or not since it was made that long ago. AWS remembers uses of roles for 400 days; pods
#   that act as a role (IRSA, Pod Identity) use it. Of users their password and access keys count, and who has neither is
#   not judged; uses of Bedrock API keys and the like nobody records. List break-glass identities in `break_glass`, by
#   name. Which of its services a role uses is not seen: a busy role may have access to data that it never touches.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/APIReference/API_RoleLastUsed.html
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#remove-credentials
# custom:
#   severity: medium
#   kind: identity
#   scope_on: [identity_type, service_linked, console_password, active_keys, data_actions]
#   fail_on: [created, last_used]
#   params:
#     max_days: 90
#     break_glass: []
#   controls:
#     nist_800_53_r5: [AC-2(3), AC-6(7)]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.5, 3.5.6]
#     iso_27001_2022: [A.5.15]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-014]
#       fix:
#         cli: aws iam detach-role-policy --role-name ROLE --policy-arn ARN, or aws iam delete-role --role-name ROLE
#         terraform: remove aws_iam_role, or its attachments of policies that reach data
#     AWS::IAM::User:
#       catalog: [AWS-IAM-014]
#       fix:
#         cli: aws iam delete-login-profile --user-name USER and delete-access-key, or aws iam delete-user --user-name USER
#         terraform: remove aws_iam_user
package policies.iam.unused_data_access

import data.policies.lib.moment
import rego.v1

own := input.params["iam.unused_data_access"]

# Of whom a use would be seen: roles, and users with a password or a key.
scope contains identity.id if {
	some identity in input.resources.identity
	identity.identity_type == "role"
	identity.service_linked == false
	count(identity.data_actions) > 0
}

scope contains identity.id if {
	some identity in input.resources.identity
	identity.console_password == true
	count(identity.data_actions) > 0
}

scope contains identity.id if {
	some identity in input.resources.identity
	identity.active_keys > 0
	count(identity.data_actions) > 0
}

fail contains {
	"id": identity.id, "fact": "last_used", "expected": sprintf("at most %d days ago", [own.max_days]),
	"message": sprintf("was not used for %d days, and may do %s", [days, concat(", ", sort(identity.data_actions))]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	days := moment.days_since(identity.last_used)
	days > own.max_days
}

fail contains {
	"id": identity.id, "fact": "last_used", "expected": sprintf("at most %d days ago", [own.max_days]),
	"message": sprintf("was not used in the %d days since it was made, and may do %s", [days, concat(", ", sort(identity.data_actions))]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	identity.last_used == "never"
	days := moment.days_since(identity.created)
	days > own.max_days
}

exempt contains {"id": identity.id, "reason": sprintf("it is not %d days old", [own.max_days])} if {
	some identity in input.resources.identity
	days := moment.days_since(identity.created)
	days <= own.max_days
}

exempt contains {"id": identity.id, "reason": "a break-glass identity (break_glass)"} if {
	some identity in input.resources.identity
	some name in own.break_glass
	identity.name == name
}
