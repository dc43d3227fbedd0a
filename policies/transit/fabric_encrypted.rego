# METADATA
# title: Nodes on the fabric are of sizes that encrypt between each other in hardware
# description: >-
#   Collective operations are too fast for TLS; Nitro encrypts at line rate between machines of supported sizes in one
#   region, in the same network or peered ones, with no load balancer or NAT in between (whether there is one is not
#   seen). Nodes without an EFA interface, which train alone, are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/data-protection.html
# custom:
#   severity: high
#   kind: node
#   scope_on: [accelerator, efa]
#   fail_on: [fabric_encrypted]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1), SC-8(2)]
#     nist_800_171_r2: [3.13.8]
#     iso_27001_2022: [A.8.20, A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::EC2::Instance:
#       catalog: [AWS-TLS-017]
#       fix:
#         cli: >-
#           aws ec2 describe-instance-types --filters Name=network-info.encryption-in-transit-supported,Values=true lists
#           the sizes to choose from
#         terraform: instance_type of a supported size
package policies.transit.fabric_encrypted

import rego.v1

scope contains node.id if {
	some node in input.resources.node
	node.accelerator == true
	node.efa == true
}

fail contains {
	"id": node.id, "fact": "fabric_encrypted", "expected": true,
	"message": "its size does not encrypt traffic between machines",
} if {
	some node in input.resources.node
	node.id in scope
	node.fabric_encrypted == false
}
