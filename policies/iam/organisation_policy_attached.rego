# METADATA
# title: Policies of the organisation are attached to something
# description: >-
#   A guardrail that is attached to nothing bounds nobody. Whether what it says is enough shows at the accounts it is
#   attached to (`iam.organisation_guardrails`). Policies that AWS ships are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/organizations/latest/userguide/orgs_policies_attach.html
# custom:
#   severity: medium
#   kind: permission_set
#   scope_on: [system]
#   fail_on: [targets]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6, AC-6(10)]
#     nist_800_171_r2: [3.1.5, 3.1.7]
#     iso_27001_2022: [A.5.15, A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::Organizations::Policy:
#       catalog: [AWS-IAM-015]
#       fix:
#         cli: aws organizations attach-policy --policy-id ID --target-id ROOT_OR_UNIT
#         terraform: aws_organizations_policy_attachment
package policies.iam.organisation_policy_attached

import rego.v1

scope contains policy.id if {
	some policy in input.resources.permission_set
	policy.system == false
}

fail contains {"id": policy.id, "fact": "targets", "expected": "a root, unit or account", "message": "is attached to nothing"} if {
	some policy in input.resources.permission_set
	policy.id in scope
	count(policy.targets) == 0
}
