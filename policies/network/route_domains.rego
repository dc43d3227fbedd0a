# METADATA
# title: Transit gateways keep networks that train apart from management networks
# description: >-
#   A route table of a transit gateway that a training network routes by must not lead to a network of one of the zones
#   `apart`, by a static route or by propagation. Black holes separate, and a default route to an inspection network is
#   meant. The zone of a network is the one that `bartizan.yaml` declares, else its part of the factory (by tags such as
#   `ai-role`, or `zone`, or by its accelerator nodes). Where no network that routes by the table trains, the rule does
#   not apply: declare zones, or tag the networks. What lies behind VPNs, peered gateways and Direct Connect is not judged.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/tgw/tgw-best-design-practices.html
# custom:
#   severity: high
#   kind: route_table
#   scope_on: [associated_zones]
#   fail_on: [reached_zones, reached_zones_known]
#   params:
#     apart: [management, office, corporate, untrusted]
#   controls:
#     nist_800_53_r5: [AC-4(21), CA-9(1), CM-2]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.7]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#   covers:
#     AWS::EC2::TransitGatewayRouteTable:
#       catalog: [AWS-NET-010]
#       fix:
#         cli: >-
#           aws ec2 disable-transit-gateway-route-table-propagation --transit-gateway-route-table-id TABLE
#           --transit-gateway-attachment-id ATTACHMENT
#         terraform: one aws_ec2_transit_gateway_route_table a zone, and propagations within the zone only
package policies.network.route_domains

import rego.v1

apart := {zone | some zone in input.params["network.route_domains"].apart}

scope contains table.id if {
	some table in input.resources.route_table
	"training" in table.associated_zones
}

fail contains {
	"id": table.id, "fact": "reached_zones", "expected": "no route to another zone", "tag": way.target,
	"actual": way,
	"message": message,
} if {
	some table in input.resources.route_table
	table.id in scope
	some way in table.reached_zones
	way.zone in apart
	message := sprintf("networks that train reach %s (%s) by a %s route", [way.target, way.zone, way.route_type])
}

# Proves nothing: where routes or zones were not seen this fact is unknown, and so is a verdict that does not fail.
seen contains table.id if {
	some table in input.resources.route_table
	table.reached_zones_known == true
}
