# METADATA
# title: Nobody but administrators can make himself one
# description: >-
#   A researcher who can pass an admin role to a training job is an admin. All statements of an identity are read
#   together (inline, attached, and for users those of their groups): a Deny takes back what another policy allows, the
#   permissions boundary limits it, and so do the organisation's policies where the scan may read them; where it may not,
#   the finding says so. Ways that need a role passed count where any role may be passed to the service, or one that has
#   more and trusts it; ways over something that runs (an instance, a function) count where the identity may reach all of
#   a kind, and some role that has more trusts the service. A role or user has more where it is an administrator or can
#   make itself one. Conditions that a caller meets by himself (MFA, network, region) close nothing; a condition on what
#   is not known makes the verdict unknown and is named. Not followed: several roles assumed in a row, roles of other
#   accounts, what one named instance, function or stack runs as, and roles that anyone may assume, which are for
#   `iam.trust_public`. List the admin set in `administrators`: names, the
#   start of names (`admin-*`), or paths (`/admins/`).
# related_resources:
#   - https://pathfinding.cloud/paths
#   - https://rhinosecuritylabs.com/aws/aws-privilege-escalation-methods-mitigation/
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
# custom:
#   severity: critical
#   kind: identity
#   scope_on: [service_linked, grants_admin]
#   fail_on: [escalations, organisation_policies]
#   params:
#     administrators: []
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     iso_27001_2022: [A.5.15]
#     soc2: [CC3.3]
#     pci_dss_4: [7.2.2]
#     mitre_atlas: [AML.T0012]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-003]
#       fix:
#         cli: >-
#           aws iam put-role-policy --role-name ROLE --policy-name NAME --policy-document file://policy.json (iam:PassRole on
#           named roles with a condition on iam:PassedToService); or aws iam put-role-permissions-boundary --role-name ROLE
#           --permissions-boundary ARN
#         terraform: permissions_boundary of aws_iam_role, and iam:PassRole on named roles with iam:PassedToService
#     AWS::IAM::User:
#       catalog: [AWS-IAM-003]
#       fix:
#         cli: >-
#           aws iam put-user-permissions-boundary --user-name USER --permissions-boundary ARN; or take the actions away with
#           aws iam put-user-policy --user-name USER --policy-name NAME --policy-document file://policy.json
#         terraform: permissions_boundary of aws_iam_user, and iam:PassRole on named roles with iam:PassedToService
package policies.iam.privilege_escalation

import data.policies.lib.names
import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	identity.service_linked == false
	identity.grants_admin == false
}

fail contains {
	"id": identity.id, "fact": "escalations", "expected": [], "actual": ways,
	"message": sprintf("can give itself more than it has: %s", [concat("; ", ways)]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	identity.organisation_policies == "seen"
	ways := sort({way.actions | some way in identity.escalations})
	count(ways) > 0
}

fail contains {
	"id": identity.id, "fact": "escalations", "expected": [], "actual": ways,
	"message": sprintf("can give itself more than it has (organisation policies not seen): %s", [concat("; ", ways)]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	identity.organisation_policies == "unseen"
	ways := sort({way.actions | some way in identity.escalations})
	count(ways) > 0
}

# Whether organisation policies were seen does not matter where nothing is open without them.
safe contains identity.id if {
	some identity in input.resources.identity
	identity.id in scope
	count(identity.escalations) == 0
}

exempt contains {"id": identity.id, "reason": "an administrator anyway, which is for iam.admin_access"} if {
	some identity in input.resources.identity
	identity.service_linked == false
	identity.grants_admin == true
}

exempt contains {"id": identity.id, "reason": "of the admin set (administrators)"} if {
	some identity in input.resources.identity
	some pattern in input.params["iam.privilege_escalation"].administrators
	names.matches(pattern, identity.name, identity.id)
}
