# METADATA
# title: No registry of images is open to the public
# description: >-
#   Who can pull an image has the code in it, and who can push one puts his own into training. A policy is public where it
#   lets everyone in and no condition narrows them to known accounts or organisations; a condition that is not understood
#   makes the verdict unknown. Every public repository is judged, whatever its images are: waive the one that is meant
#   to be. Policies of public repositories, which may let others push, are not read.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policies.html
#   - https://docs.aws.amazon.com/AmazonECR/latest/public/public-repositories.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [policy_public, shared_publicly]
#   controls:
#     nist_800_53_r5: [AC-3, AC-4, SC-7]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0010.004]
#   covers:
#     AWS::ECR::Repository:
#       catalog: [AWS-PUB-006]
#       fix:
#         cli: aws ecr set-repository-policy --repository-name NAME --policy-text POLICY, with aws:PrincipalOrgID as a condition
#         terraform: aws_ecr_repository_policy whose principals are accounts, or that has aws:PrincipalOrgID as a condition
#     AWS::ECR::PublicRepository:
#       catalog: [AWS-PUB-006]
#       fix:
#         cli: aws ecr-public delete-repository --repository-name NAME --region us-east-1, once its images are in a private one
#         terraform: aws_ecr_repository in place of aws_ecrpublic_repository
package policies.exposure.registry_public

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "registry"
}

fail contains {"id": store.id, "fact": "policy_public", "expected": "no", "message": "its policy lets anyone in"} if {
	some store in input.resources.data_store
	store.id in scope
	store.policy_public == "yes"
}

fail contains {"id": store.id, "fact": "shared_publicly", "expected": false, "message": "it is a public repository: anyone may pull its images"} if {
	some store in input.resources.data_store
	store.id in scope
	store.shared_publicly == true
}

# A private repository is settled by its policy; a public one has no other door.
safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.policy_public == "no"
	store.native_type == "AWS::ECR::Repository"
}
