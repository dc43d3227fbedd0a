# METADATA
# title: Transit gateways accept no attachments of other accounts unasked
# description: >-
#   With automatic acceptance any account that the gateway is shared with joins the networks by itself. The route tables
#   of a gateway of another account are shown to that account only: unknown until it is scanned as well.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/tgw/tgw-transit-gateways.html
# custom:
#   severity: high
#   kind: gateway
#   scope_on: [gateway_type]
#   fail_on: [auto_accept, domains_known]
#   controls:
#     nist_800_53_r5: [AC-4(21), CA-9(1), CM-2]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.7]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#   covers:
#     AWS::EC2::TransitGateway:
#       catalog: [AWS-NET-010]
#       controls:
#         aws_fsbp: [EC2.23]
#       fix:
#         cli: aws ec2 modify-transit-gateway --transit-gateway-id GATEWAY --options AutoAcceptSharedAttachments=disable
#         terraform: auto_accept_shared_attachments = "disable"
package policies.network.transit_auto_accept

import rego.v1

scope contains gateway.id if {
	some gateway in input.resources.gateway
	gateway.gateway_type == "transit"
}

fail contains {
	"id": gateway.id, "fact": "auto_accept", "expected": false,
	"message": "accepts attachments of other accounts unasked",
} if {
	some gateway in input.resources.gateway
	gateway.id in scope
	gateway.auto_accept == true
}

# Proves nothing: of a gateway of another account this fact is unknown, and so is a verdict that does not fail.
seen contains gateway.id if {
	some gateway in input.resources.gateway
	gateway.domains_known == true
}
