# METADATA
# title: Roles are assumed by named accounts, and by third parties only under a condition
# description: >-
#   A role that anyone may assume exports the training data plane. A foreign account passes where the trust policy asks
#   for an external id, for the organisation or for a network, where `trusted_accounts` lists it, or where it is of the
#   same organisation; where the accounts of that may not be listed, an account that nobody listed makes the verdict
#   unknown. An external id that may be left out, or be anything, counts for nothing. Principals that were deleted
#   (`AROA…`) name nobody. Resource control policies are not seen here, and a plan that does not tell its account knows
#   no foreign ones. Service-linked roles are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
# custom:
#   severity: critical
#   kind: identity
#   scope_on: [identity_type, service_linked]
#   fail_on: [trust_public, trust_foreign, trust_foreign_settled, trust_unplaced, trust_foreign_resolved]
#   params:
#     trusted_accounts: []
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     iso_27001_2022: [A.5.15]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#     mitre_atlas: [AML.T0012]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-006]
#       fix:
#         cli: >-
#           aws iam update-assume-role-policy --role-name ROLE --policy-document file://trust.json (name principals, with a
#           condition on sts:ExternalId or aws:PrincipalOrgID)
#         terraform: assume_role_policy with principals named and a condition on sts:ExternalId or aws:PrincipalOrgID
package policies.iam.trust_public

import rego.v1

trusted := {account | some account in input.params["iam.trust_public"].trusted_accounts}

scope contains identity.id if {
	some identity in input.resources.identity
	identity.identity_type == "role"
	identity.service_linked == false
}

fail contains {"id": identity.id, "fact": "trust_public", "expected": "no", "message": "anyone may assume the role"} if {
	some identity in input.resources.identity
	identity.id in scope
	identity.trust_public == "yes"
}

fail contains {
	"id": identity.id, "fact": "trust_foreign", "expected": "trusted accounts alone",
	"message": sprintf("accounts that are not trusted may assume the role, without an external id: %s", [concat(", ", sort(strangers))]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	strangers := {account | some account in identity.trust_foreign} - trusted
	count(strangers) > 0
}

# Whether a trusted account is of the organisation does not matter.
safe contains identity.id if {
	some identity in input.resources.identity
	identity.id in scope
	identity.trust_public == "no"
	identity.trust_foreign_settled == true
	foreign := identity.trust_foreign
	unplaced := identity.trust_unplaced
	count({account | some account in array.concat(foreign, unplaced)} - trusted) == 0
}
