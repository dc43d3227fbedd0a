# METADATA
# title: Public access to networks is blocked in every region in use
# description: >-
#   One switch of the account stops what internet gateways let in, however routes and groups drift. Regions without a
#   network of the account's own, an instance or a service for models are not judged. An account that must serve the internet leaves
#   its front door out by an exclusion; those are judged by network.public_access_exclusion. Where a policy of the
#   organisation sets the block, change it there.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/security-vpc-bpa.html
# custom:
#   severity: medium
#   kind: account
#   scope_on: [in_use]
#   fail_on: [internet_gateway_block]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7, SC-7(5)]
#     iso_27001_2022: [A.8.20]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#   covers:
#     AWS::EC2::VPCBlockPublicAccessOptions:
#       catalog: [AWS-NET-018]
#       controls:
#         aws_fsbp: [EC2.172]
#       fix:
#         cli: aws ec2 modify-vpc-block-public-access-options --internet-gateway-block-mode block-ingress
#         terraform: aws_vpc_block_public_access_options with internet_gateway_block_mode = "block-ingress"
package policies.network.public_access_blocked

import rego.v1

scope contains account.id if {
	some account in input.resources.account
	account.in_use == true
}

fail contains {
	"id": account.id, "fact": "internet_gateway_block", "expected": "ingress or bidirectional",
	"message": "nothing blocks what internet gateways let in",
} if {
	some account in input.resources.account
	account.id in scope
	account.internet_gateway_block == "off"
}
