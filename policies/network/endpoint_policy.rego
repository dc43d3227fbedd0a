# METADATA
# title: Private endpoints let only known principals reach known resources
# description: >-
#   With the full-access policy that an endpoint is made with, whoever is in the network can copy data to a bucket of any
#   account. A policy that narrows by organisation, by account or by named resources passes. Services that take no
#   endpoint policy, and endpoints of other kinds, are not judged. ECR needs the region's starport-layer bucket allowed.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html
# custom:
#   severity: high
#   kind: private_endpoint
#   scope_on: [endpoint_type, policy_supported]
#   fail_on: [policy_open]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0025]
#   covers:
#     AWS::EC2::VPCEndpoint:
#       catalog: [AWS-NET-013]
#       fix:
#         cli: >-
#           aws ec2 modify-vpc-endpoint --vpc-endpoint-id ENDPOINT --policy-document file://policy.json (with
#           aws:ResourceOrgID and aws:PrincipalOrgID)
#         terraform: >-
#           policy = data.aws_iam_policy_document.NAME.json with conditions on aws:ResourceOrgID and aws:PrincipalOrgID
package policies.network.endpoint_policy

import rego.v1

# S3 and DynamoDB, which have gateway endpoints, take policies.
scope contains endpoint.id if {
	some endpoint in input.resources.private_endpoint
	endpoint.endpoint_type == "gateway"
}

scope contains endpoint.id if {
	some endpoint in input.resources.private_endpoint
	endpoint.endpoint_type == "interface"
	endpoint.policy_supported == true
}

fail contains {
	"id": endpoint.id, "fact": "policy_open", "expected": false,
	"message": "its policy lets anyone do anything to any resource of the service",
} if {
	some endpoint in input.resources.private_endpoint
	endpoint.id in scope
	endpoint.policy_open == true
}
