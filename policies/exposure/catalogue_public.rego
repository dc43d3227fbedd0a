# METADATA
# title: The data catalogue is not open to the public
# description: >-
#   Who may read the catalogue learns where the training data lies, and who may write it decides what becomes training
#   data. A policy is public where it lets everyone in and no condition narrows them to known accounts, organisations,
#   networks or addresses; a condition that is not understood makes the verdict unknown. What Lake Formation grants is not
#   seen.
# related_resources:
#   - https://docs.aws.amazon.com/glue/latest/dg/security_iam_service-with-iam.html
# custom:
#   severity: medium
#   kind: account
#   scope_on: []
#   fail_on: [policy_public]
#   controls:
#     nist_800_53_r5: [SI-7, SI-7(1)]
#     iso_27001_2022: [A.8.15, A.8.24]
#     soc2: [CC7.1]
#     pci_dss_4: [11.5.2]
#     mitre_atlas: [AML.T0059]
#   covers:
#     AWS::Glue::DataCatalogEncryptionSettings:
#       catalog: [AWS-DATA-009]
#       fix:
#         cli: aws glue put-resource-policy --policy-in-json with the accounts that may come in as principals
#         terraform: name the accounts in the policy of aws_glue_resource_policy
package policies.exposure.catalogue_public

import rego.v1

scope contains setting.id if some setting in input.resources.account

fail contains {"id": setting.id, "fact": "policy_public", "expected": "no", "message": "its policy lets anyone in"} if {
	some setting in input.resources.account
	setting.policy_public == "yes"
}
