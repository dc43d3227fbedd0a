# METADATA
# title: Instance metadata answers only to session tokens (IMDSv2)
# description: >-
#   With version 1, one request that a notebook or an inference server can be talked into (SSRF) yields the node's
#   credentials. All instances are judged, not only those with accelerators, and the latest and the default version of
#   every launch template: what a template leaves out, the account's defaults and the image decide. Nodes that SageMaker
#   runs are not seen.
# related_resources:
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html
# custom:
#   severity: high
#   kind: node
#   scope_on: [metadata_enabled]
#   fail_on: [metadata_token_required]
#   controls:
#     nist_800_53_r5: [AC-3, AC-3(7), AC-3(15), AC-6, CA-9(1), CM-2]
#     nist_800_171_r2: [3.12.4]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC7.2]
#     pci_dss_4: [8.2.8]
#     mitre_atlas: [AML.T0055]
#   covers:
#     AWS::EC2::Instance:
#       catalog: [AWS-NET-016]
#       controls:
#         aws_fsbp: [EC2.8]
#         cis_aws_3.0.0: ["5.6"]
#         cis_aws_5.0.0: ["5.7"]
#         cis_aws_7.0.0: ["6.7"]
#       fix:
#         cli: aws ec2 modify-instance-metadata-options --instance-id ID --http-tokens required
#         terraform: "metadata_options { http_tokens = \"required\" }"
#     AWS::EC2::LaunchTemplate:
#       catalog: [AWS-NET-016]
#       controls:
#         aws_fsbp: [EC2.170, AutoScaling.3]
#       fix:
#         cli: >-
#           aws ec2 create-launch-template-version --launch-template-id TEMPLATE --source-version VERSION
#           --launch-template-data '{"MetadataOptions": {"HttpTokens": "required"}}', and aws ec2
#           modify-instance-metadata-defaults --http-tokens required
#         terraform: "metadata_options { http_tokens = \"required\" }"
package policies.network.metadata_v2

import rego.v1

scope contains node.id if {
	some node in input.resources.node
	node.metadata_enabled == true
}

fail contains {
	"id": node.id, "fact": "metadata_token_required", "expected": true,
	"message": "the metadata service answers without a session token (IMDSv1)",
} if {
	some node in input.resources.node
	node.id in scope
	node.metadata_token_required == false
}

# A template that asks for tokens needs nobody to say whether the service is on.
safe contains node.id if {
	some node in input.resources.node
	node.native_type == "AWS::EC2::LaunchTemplate"
	node.metadata_token_required == true
}
