# METADATA
# title: Policies of secrets let in nobody from outside the organisation
# description: >-
#   The policy of a secret is the second way to what opens everything else. Outside is anyone (`*` without a condition
#   on known accounts, organisations, networks or addresses), an account that is not the owner's, not of its
#   organisation where the scan may read that, and not in `trusted_accounts`, and another organisation than the
#   account's own (where it is known; list it in `trusted_organisations`). Service principals are no accounts. What the
#   organisation denies on its resources counts where it was seen; else the policy is judged without it. Canonical user
#   ids and conditions that are not understood make the verdict unknown, and so does an account (or organisation) that
#   nobody listed, where asking about the own organisation failed. Principals that were deleted name nobody.
# related_resources:
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalorgid
#   - https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html
# custom:
#   severity: critical
#   kind: credential
#   scope_on: [policy_statements]
#   fail_on: [outside_access, outside_access_settled, outside_access_resolved]
#   params:
#     trusted_accounts: []
#     trusted_organisations: []
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-2]
#     iso_27001_2022: [A.5.15]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.1, 7.2.2, 7.2.5, 7.2.6, 7.3.1, 7.3.2, 7.3.3]
#     mitre_atlas: [AML.T0035]
#   covers:
#     AWS::SecretsManager::Secret:
#       catalog: [AWS-IAM-016]
#       fix:
#         cli: >-
#           aws secretsmanager put-resource-policy --secret-id ARN --resource-policy file://policy.json
#           --block-public-policy (with a condition StringEquals aws:PrincipalOrgID = ORGANISATION, or without the
#           statement)
#         terraform: >-
#           aws_secretsmanager_secret_policy with a condition on aws:PrincipalOrgID
package policies.iam.resource_policy_inside_secret

import rego.v1

params := input.params["iam.resource_policy_inside_secret"]

trusted := {account | some account in params.trusted_accounts} | {name | some name in params.trusted_organisations}

scope contains secret.id if {
	some secret in input.resources.credential
	count(secret.policy_statements) > 0
}

fail contains {
	"id": secret.id, "fact": "outside_access", "expected": "inside the organisation", "actual": [entry],
	"message": "its policy lets anyone in",
} if {
	some secret in input.resources.credential
	secret.id in scope
	some entry in secret.outside_access
	entry.access == "public"
}

fail contains {
	"id": secret.id, "fact": "outside_access", "expected": "inside the organisation", "actual": strangers,
	"message": sprintf("its policy lets in accounts that are not trusted: %s", [concat(", ", strangers)]),
} if {
	some secret in input.resources.credential
	secret.id in scope
	strangers := sort({entry.principal | some entry in secret.outside_access; entry.access == "account"} - trusted)
	count(strangers) > 0
}

fail contains {
	"id": secret.id, "fact": "outside_access", "expected": "inside the organisation", "actual": strangers,
	"message": sprintf("its policy lets in everyone of other organisations: %s", [concat(", ", strangers)]),
} if {
	some secret in input.resources.credential
	secret.id in scope
	strangers := sort({entry.principal | some entry in secret.outside_access; entry.access == "organisation"} - trusted)
	count(strangers) > 0
}

# Whether a trusted account is of the organisation does not matter.
safe contains secret.id if {
	some secret in input.resources.credential
	secret.id in scope
	secret.outside_access_settled == true
	entries := secret.outside_access
	count({entry.principal | some entry in entries} - trusted) == 0
}
