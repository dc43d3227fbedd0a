# METADATA
# title: Who makes roles is held by a permissions boundary
# description: >-
#   Teams that create roles for their jobs must not mint administrators. An identity that may create roles, or write or
#   attach policies to them, needs a boundary of its own, or a condition that every role it touches has one
#   (`iam:PermissionsBoundary`), or to attach listed policies only (`iam:PolicyARN`). All its policies are read together,
#   with the organisation's where the scan may read them. Whether the boundary itself is narrow is not judged.
#   Identities that may do everything are left to `iam.admin_access`. List those whose work it is in `administrators`:
#   names, the start of names (`admin-*`), or paths (`/admins/`).
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html#access_policies_boundaries-delegate
# custom:
#   severity: medium
#   kind: identity
#   scope_on: [service_linked, grants_admin]
#   fail_on: [makes_unbounded_roles]
#   params:
#     administrators: []
#   controls:
#     nist_800_53_r5: [AC-3, AC-6, AC-6(10)]
#     nist_800_171_r2: [3.1.5, 3.1.7]
#     iso_27001_2022: [A.5.15, A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-015]
#       fix:
#         cli: >-
#           aws iam put-role-permissions-boundary --role-name ROLE --permissions-boundary ARN, or a condition StringEquals
#           iam:PermissionsBoundary = ARN on the statement
#         terraform: permissions_boundary of aws_iam_role, or a condition on iam:PermissionsBoundary
#     AWS::IAM::User:
#       catalog: [AWS-IAM-015]
#       fix:
#         cli: >-
#           aws iam put-user-permissions-boundary --user-name USER --permissions-boundary ARN, or a condition StringEquals
#           iam:PermissionsBoundary = ARN on the statement
#         terraform: permissions_boundary of aws_iam_user, or a condition on iam:PermissionsBoundary
package policies.iam.delegated_admin_bounded

import data.policies.lib.names
import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	identity.service_linked == false
	identity.grants_admin == false
}

fail contains {
	"id": identity.id, "fact": "makes_unbounded_roles", "expected": [], "actual": identity.makes_unbounded_roles,
	"message": sprintf("makes roles that nothing bounds: %s", [concat(", ", sort(identity.makes_unbounded_roles))]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	count(identity.makes_unbounded_roles) > 0
}

exempt contains {"id": identity.id, "reason": "of the admin set (administrators)"} if {
	some identity in input.resources.identity
	some pattern in input.params["iam.delegated_admin_bounded"].administrators
	names.matches(pattern, identity.name, identity.id)
}
