# METADATA
# title: Accelerator nodes are in private subnets and have no public address
# description: >-
#   A GPU node with a public path is a target for data theft and for crypto mining. All interfaces count, and a subnet
#   without a route table of its own has the main one of its network. An IPv6 address counts only with a route to an
#   internet gateway, since an egress-only gateway lets nobody in. VPC Block Public Access, which may close the path, is
#   not seen. Of a launch template the latest and the default version are judged; the subnets of its nodes, where it does
#   not name them, are those of a group, and unknown here.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/VPC_Internet_Gateway.html
# custom:
#   severity: critical
#   kind: node
#   scope_on: [accelerator]
#   fail_on: [public_addresses, internet_route]
#   controls:
#     nist_800_53_r5: [
#       AC-3, AC-3(7), AC-4, AC-4(21), AC-6, AC-21, SC-7, SC-7(3), SC-7(4), SC-7(9), SC-7(11), SC-7(16), SC-7(20), SC-7(21)
#     ]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.1.14, 3.13.2, 3.13.5]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0049]
#   covers:
#     AWS::EC2::Instance:
#       catalog: [AWS-NET-001]
#       controls:
#         aws_fsbp: [EC2.9]
#       fix:
#         console: >-
#           Move the node group to subnets whose route table has no internet gateway, and reach it through Session Manager
#         terraform: associate_public_ip_address = false, and subnet_id of a private subnet
#     AWS::EC2::LaunchTemplate:
#       catalog: [AWS-NET-001]
#       controls:
#         aws_fsbp: [EC2.25]
#       fix:
#         cli: >-
#           aws ec2 create-launch-template-version --launch-template-id TEMPLATE --source-version VERSION
#           --launch-template-data '{"NetworkInterfaces": [{"DeviceIndex": 0, "AssociatePublicIpAddress": false}]}'
#         terraform: "network_interfaces { associate_public_ip_address = false }, and subnet_id of a private subnet"
package policies.network.node_private

import rego.v1

scope contains node.id if {
	some node in input.resources.node
	node.accelerator == true
}

fail contains {
	"id": node.id, "fact": "public_addresses", "expected": [],
	"message": sprintf("has the public address %s", [concat(", ", sort(addresses))]),
} if {
	some node in input.resources.node
	node.id in scope
	addresses := {address | some address in node.public_addresses; indexof(address, ":") == -1; address != "assigned"}
	count(addresses) > 0
}

fail contains {"id": node.id, "fact": "public_addresses", "expected": [], "message": "is given a public address when it starts"} if {
	some node in input.resources.node
	node.id in scope
	"assigned" in node.public_addresses
}

fail contains {
	"id": node.id, "fact": "internet_route", "expected": false,
	"message": "its subnet has a route to an internet gateway",
} if {
	some node in input.resources.node
	node.id in scope
	node.internet_route == true
}
