# METADATA
# title: No policy of a whole registry lets everyone in
# description: >-
#   The policy of the registry says who may replicate images into it and make repositories. Open to everyone, it is a way
#   to put an image of one's own where the training jobs pull from. Who is let in is judged as for repositories.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECR/latest/userguide/registry-permissions.html
# custom:
#   severity: high
#   kind: account
#   scope_on: []
#   fail_on: [policy_public]
#   controls:
#     nist_800_53_r5: [AC-3, AC-4, SC-7]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0010.004]
#   covers:
#     AWS::ECR::RegistryPolicy:
#       catalog: [AWS-PUB-006]
#       fix:
#         cli: aws ecr put-registry-policy --policy-text POLICY, whose principals are the accounts that replicate
#         terraform: aws_ecr_registry_policy whose principals are the accounts that replicate
package policies.exposure.registry_policy_public

import rego.v1

scope contains account.id if some account in input.resources.account

fail contains {"id": account.id, "fact": "policy_public", "expected": "no", "message": "the registry's policy lets anyone in"} if {
	some account in input.resources.account
	account.id in scope
	account.policy_public == "yes"
}
