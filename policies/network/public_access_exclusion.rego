# METADATA
# title: No exclusion from the block of public access opens a network of accelerators
# description: >-
#   An exclusion that lets traffic in both ways takes the block back for a network or a subnet. Where accelerator nodes stand, it
#   gives away what the block is for. One that only lets traffic out is fine. An exclusion of a network is for all its subnets.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/security-vpc-bpa-basics.html
# custom:
#   severity: medium
#   kind: account
#   scope_on: [excludes_accelerators]
#   fail_on: [exclusion_mode]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7, SC-7(5)]
#     iso_27001_2022: [A.8.20]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#   covers:
#     AWS::EC2::VPCBlockPublicAccessExclusion:
#       catalog: [AWS-NET-018]
#       fix:
#         cli: aws ec2 delete-vpc-block-public-access-exclusion --exclusion-id ID
#         terraform: internet_gateway_exclusion_mode = "allow-egress", or no exclusion
package policies.network.public_access_exclusion

import rego.v1

scope contains account.id if {
	some account in input.resources.account
	account.excludes_accelerators == true
}

fail contains {
	"id": account.id, "fact": "exclusion_mode", "expected": "egress",
	"message": "a network of accelerator nodes is left out of the block, in both directions",
} if {
	some account in input.resources.account
	account.id in scope
	account.exclusion_mode == "bidirectional"
}
