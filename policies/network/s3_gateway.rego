# METADATA
# title: Subnets that train or serve reach S3 through a gateway endpoint
# description: >-
#   Corpus traffic then stays off NAT and off the internet, and an endpoint policy can say which buckets it may reach.
#   The endpoint must be in the subnet's own route table: one that is in another table of the network is the usual false
#   sense of safety. An interface endpoint with private DNS does as well and makes the rule not applicable. Subnets that
#   managed training or serving stands in (SageMaker, HyperPod) are judged as those with nodes are.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-s3.html
# custom:
#   severity: medium
#   kind: subnet
#   scope_on: [has_accelerators, ai_role]
#   fail_on: [s3_gateway, s3_interface]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7, SC-7(4)]
#     nist_800_171_r2: [3.13.1]
#     iso_27001_2022: [A.8.20, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#   covers:
#     AWS::EC2::Subnet:
#       catalog: [AWS-NET-011]
#       fix:
#         cli: >-
#           aws ec2 create-vpc-endpoint --vpc-endpoint-type Gateway --service-name com.amazonaws.REGION.s3 --vpc-id VPC
#           --route-table-ids TABLE
#         terraform: "aws_vpc_endpoint with vpc_endpoint_type = \"Gateway\" and route_table_ids of the private subnets"
package policies.network.s3_gateway

import rego.v1

scope contains subnet.id if {
	some subnet in input.resources.subnet
	subnet.has_accelerators == true
}

scope contains subnet.id if {
	some subnet in input.resources.subnet
	subnet.ai_role in {"training", "inference"}
}

fail contains {
	"id": subnet.id, "fact": "s3_gateway", "expected": true,
	"message": "its route table has no gateway endpoint for S3",
} if {
	some subnet in input.resources.subnet
	subnet.id in scope
	subnet.s3_gateway == false
	subnet.s3_interface == false
}

# Either door is enough, whatever is known of the other.
safe contains subnet.id if {
	some subnet in input.resources.subnet
	subnet.id in scope
	subnet.s3_gateway == true
}

exempt contains {"id": subnet.id, "reason": "an interface endpoint with private DNS answers for S3"} if {
	some subnet in input.resources.subnet
	subnet.id in scope
	subnet.s3_interface == true
	subnet.s3_gateway == false
}
