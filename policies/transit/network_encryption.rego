# METADATA
# title: Controls of encryption in networks with accelerators enforce it
# description: >-
#   A control that only monitors lets clear text through, and an exclusion is a way out: `excluded` lists those that are
#   meant. Networks without a control are judged where `required` is on (high assurance); without it the sizes of the
#   nodes are all that is asked.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/vpc-encryption-controls.html
# custom:
#   severity: high
#   kind: network
#   scope_on: [has_accelerators, encryption_mode]
#   fail_on: [encryption_mode, encryption_exclusions]
#   params:
#     required: false
#     excluded: [InternetGateway, EgressOnlyInternetGateway, NatGateway]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1), SC-8(2)]
#     nist_800_171_r2: [3.13.8]
#     iso_27001_2022: [A.8.20, A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::EC2::VPC:
#       catalog: [AWS-TLS-017]
#       fix:
#         cli: >-
#           aws ec2 create-vpc-encryption-control --vpc-id NETWORK, then aws ec2 modify-vpc-encryption-control
#           --vpc-encryption-control-id CONTROL --mode enforce
#         terraform: aws_vpc_encryption_control with mode = "enforce"
package policies.transit.network_encryption

import rego.v1

limits := input.params["transit.network_encryption"]

meant := {name | some name in limits.excluded}

scope contains network.id if {
	some network in input.resources.network
	network.has_accelerators == true
	network.encryption_mode in {"monitor", "enforce"}
}

scope contains network.id if {
	some network in input.resources.network
	network.has_accelerators == true
	network.encryption_mode == "none"
	limits.required == true
}

fail contains {
	"id": network.id, "fact": "encryption_mode", "expected": "enforce",
	"message": sprintf("encryption in transit is not enforced (%s)", [mode]),
} if {
	some network in input.resources.network
	network.id in scope
	mode := network.encryption_mode
	mode in {"none", "monitor"}
}

fail contains {
	"id": network.id, "fact": "encryption_exclusions", "expected": sort(meant), "actual": sort(more),
	"message": sprintf("lets clear text through for %s", [concat(", ", sort(more))]),
} if {
	some network in input.resources.network
	network.id in scope
	exclusions := network.encryption_exclusions
	more := {name | some name in exclusions} - meant
	count(more) > 0
}
