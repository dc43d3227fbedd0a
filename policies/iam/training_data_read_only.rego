# METADATA
# title: Training jobs cannot change the data they learn from
# description: >-
#   Who can write into the corpus can poison it. Asked of every role that a SageMaker training job of the last weeks ran
#   as: whether it may put or delete objects where its jobs read, or change a bucket's policy or life cycle; the same of
#   golden datasets. Where the jobs keep results and checkpoints they may write, prefix by prefix. Its policies, boundary,
#   the bucket's own policy, and the organisation's as far as seen, are read together. Jobs on instances and in pods name
#   no data that could be read, so their roles are not judged; a plan names no jobs. List roles that clean and label data
#   in `preprocessing`, by name.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-roles.html
# custom:
#   severity: high
#   kind: identity
#   scope_on: [trains]
#   fail_on: [training_writes]
#   params:
#     preprocessing: []
#   controls:
#     nist_800_53_r5: [AC-3, AC-6, SI-7]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.5.15, A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#     mitre_atlas: [AML.T0020, AML.T0059]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-013]
#       fix:
#         cli: >-
#           aws iam put-role-policy --role-name ROLE --policy-name NAME --policy-document file://policy.json (s3:GetObject and
#           s3:ListBucket on the data, s3:PutObject on the checkpoint prefix alone)
#         terraform: aws_iam_role_policy with s3:GetObject on the data and s3:PutObject on the checkpoint prefix alone
package policies.iam.training_data_read_only

import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	identity.trains == true
}

fail contains {
	"id": identity.id, "fact": "training_writes", "expected": [], "actual": identity.training_writes,
	"message": sprintf("may change training data: %s", [concat("; ", sort(identity.training_writes))]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	count(identity.training_writes) > 0
}

exempt contains {"id": identity.id, "reason": "prepares training data (preprocessing)"} if {
	some identity in input.resources.identity
	some name in input.params["iam.training_data_read_only"].preprocessing
	identity.name == name
}
