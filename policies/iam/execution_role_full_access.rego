# METADATA
# title: What notebooks, jobs, models and agents act as has no full access to data services
# description: >-
#   Whoever opens a notebook acts as its execution role, and a prompt may act as an agent's. A role fails that
#   SageMaker or Bedrock acts as and that has all of S3, SageMaker or Bedrock (AmazonS3FullAccess,
#   AmazonSageMakerFullAccess, AmazonBedrockFullAccess, AdministratorAccess, or a policy of its own that allows the same),
#   as far as its permissions boundary lets it. AmazonSageMakerFullAccess also opens every bucket with `sagemaker` in its
#   name. That one role serves many agents or domains is not judged, nor are organisation policies, nor a Deny.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-roles.html
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/role-manager.html
# custom:
#   severity: high
#   kind: identity
#   scope_on: [execution_role]
#   fail_on: [full_access]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     iso_27001_2022: [A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#     mitre_atlas: [AML.T0012]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-012]
#       fix:
#         cli: >-
#           aws iam detach-role-policy --role-name ROLE --policy-arn arn:aws:iam::aws:policy/AmazonSageMakerFullAccess, and
#           attach one that names the project's buckets and actions
#         console: SageMaker Role Manager makes roles for personas
#         terraform: aws_iam_role_policy_attachment of a policy that names actions and resources
package policies.iam.execution_role_full_access

import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	identity.execution_role == true
}

fail contains {
	"id": identity.id, "fact": "full_access", "expected": [],
	"message": sprintf("what acts as it has all of %s", [concat(", ", sort(identity.full_access))]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	count(identity.full_access) > 0
	identity.full_access != ["*"]
}

fail contains {"id": identity.id, "fact": "full_access", "expected": [], "message": "what acts as it may do everything"} if {
	some identity in input.resources.identity
	identity.id in scope
	identity.full_access == ["*"]
}
