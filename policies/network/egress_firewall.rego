# METADATA
# title: Subnets with accelerators leave for the internet through a firewall only
# description: >-
#   A NAT gateway, an internet gateway or an egress-only gateway lets weights and data leave unseen. A route to an
#   endpoint of a network firewall of the account passes (its policy is judged by itself), as does one to a transit
#   gateway, which is taken to lead to an inspection network. What another firewall behind an endpoint does is not read:
#   unknown. Tables without a route to the internet are not judged, and whether security groups narrow what leaves is not looked at.
# related_resources:
#   - https://docs.aws.amazon.com/network-firewall/latest/developerguide/architectures.html
# custom:
#   severity: high
#   kind: route_table
#   scope_on: [serves_accelerators, has_exit]
#   fail_on: [exits, exits_inspected]
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-2]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.3]
#     mitre_atlas: [AML.T0025]
#   covers:
#     AWS::EC2::RouteTable:
#       catalog: [AWS-NET-015]
#       fix:
#         cli: aws ec2 replace-route --route-table-id TABLE --destination-cidr-block 0.0.0.0/0 --vpc-endpoint-id ENDPOINT
#         terraform: aws_route with vpc_endpoint_id of the firewall's endpoint in place of nat_gateway_id
package policies.network.egress_firewall

import rego.v1

unseen := {"nat": "a NAT gateway", "internet_gateway": "an internet gateway", "egress_only_gateway": "an egress-only gateway"}

scope contains table.id if {
	some table in input.resources.route_table
	table.serves_accelerators == true
	table.has_exit == true
}

fail contains {
	"id": table.id, "fact": "exits", "expected": "a route to a firewall", "tag": exit.destination,
	"actual": exit,
	"message": sprintf("%s leaves by %s, past every firewall", [exit.destination, means]),
} if {
	some table in input.resources.route_table
	table.id in scope
	some exit in table.exits
	means := unseen[exit.target_type]
}

# Proves nothing: where nobody knows what a route leads to this fact is unknown, and so is a verdict that does not fail.
seen contains table.id if {
	some table in input.resources.route_table
	table.exits_inspected == true
}
