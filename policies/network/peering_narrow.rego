# METADATA
# title: Routes over a peering are narrower than the network on the other side
# description: >-
#   A route for a whole address block joins two networks, the fabric with the office. Only routes over the peering count, of all
#   route tables of the account, several of one table together, and secondary blocks of the other network too. Where the
#   other side does not show its blocks, only a route for everything is proven. Tables of another account are not seen.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/peering/peering-configurations-partial-access.html
# custom:
#   severity: medium
#   kind: link
#   scope_on: [link_type]
#   fail_on: [wide_routes, wide_routes_known]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#   covers:
#     AWS::EC2::VPCPeeringConnection:
#       catalog: [AWS-NET-009]
#       controls:
#         cis_aws_3.0.0: ["5.5"]
#         cis_aws_5.0.0: ["5.6"]
#         cis_aws_7.0.0: ["6.6"]
#       fix:
#         cli: >-
#           aws ec2 delete-route --route-table-id TABLE --destination-cidr-block BLOCK, then aws ec2 create-route with the
#           subnet that is needed
#         terraform: destination_cidr_block of the subnet that is needed, in place of the network's
package policies.network.peering_narrow

import rego.v1

scope contains link.id if {
	some link in input.resources.link
	link.link_type == "peering"
}

fail contains {
	"id": link.id, "fact": "wide_routes", "expected": "routes to single subnets", "tag": route.table,
	"actual": route,
	"message": sprintf("%s routes %s over it, which covers %s", [route.table, concat(", ", route.destinations), route.covers]),
} if {
	some link in input.resources.link
	link.id in scope
	some route in link.wide_routes
}

# Proves nothing: where routes or blocks were not seen this fact is unknown, and so is a verdict that does not fail.
seen contains link.id if {
	some link in input.resources.link
	link.wide_routes_known == true
}
