# METADATA
# title: Instance metadata stays on the node, out of reach of its containers
# description: >-
#   A container is one network hop away from the node: with a hop limit above 1 its pods can take the node's
#   credentials. Only nodes whose tags show that they run containers (EKS, ECS, Batch, Karpenter) are judged. Some
#   controllers need 2 until they have a role of their own: set `max_hops`. A launch template whose tags do not say so may
#   still start such nodes: with a limit above `max_hops` it is unknown. Pods on the host's network reach the service at
#   any limit.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html
# custom:
#   severity: medium
#   kind: node
#   scope_on: [metadata_enabled, container_host, metadata_hop_limit]
#   fail_on: [metadata_hop_limit]
#   params:
#     max_hops: 1
#   controls:
#     nist_800_53_r5: [AC-3, AC-6, CA-9(1), CM-2, CM-2(2)]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.8.2]
#     soc2: [CC6.1]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0055]
#   covers:
#     AWS::EC2::Instance:
#       catalog: [AWS-NET-017]
#       fix:
#         cli: aws ec2 modify-instance-metadata-options --instance-id ID --http-put-response-hop-limit 1
#         terraform: "metadata_options { http_put_response_hop_limit = 1 }"
#     AWS::EC2::LaunchTemplate:
#       catalog: [AWS-NET-017]
#       controls:
#         aws_fsbp: [AutoScaling.4]
#       fix:
#         cli: >-
#           aws ec2 create-launch-template-version --launch-template-id TEMPLATE --source-version VERSION
#           --launch-template-data '{"MetadataOptions": {"HttpPutResponseHopLimit": 1}}'
#         terraform: "metadata_options { http_put_response_hop_limit = 1 }"
package policies.network.metadata_hop_limit

import rego.v1

max_hops := input.params["network.metadata_hop_limit"].max_hops

scope contains node.id if {
	some node in input.resources.node
	node.metadata_enabled == true
	node.container_host == true
}

fail contains {
	"id": node.id, "fact": "metadata_hop_limit", "expected": sprintf("at most %d", [max_hops]),
	"message": sprintf("metadata answers travel %d hops, into its containers", [node.metadata_hop_limit]),
} if {
	some node in input.resources.node
	node.id in scope
	node.metadata_hop_limit > max_hops
}

# Whatever a template starts: a limit that keeps containers out settles it.
safe contains node.id if {
	some node in input.resources.node
	node.native_type == "AWS::EC2::LaunchTemplate"
	node.metadata_hop_limit <= max_hops
}
