# METADATA
# title: Default security groups have no rules
# description: >-
#   What is launched without a group lands in the default one; with its rules it joins a flat network. AWS makes it with
#   an all-traffic rule from itself and all egress, so a network nobody touched fails.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/default-security-group.html
# custom:
#   severity: medium
#   kind: firewall
#   scope_on: [firewall_type, is_default]
#   fail_on: [ingress, egress]
#   controls:
#     nist_800_53_r5: [AC-4, AC-4(21), SC-7, SC-7(4), SC-7(5), SC-7(11), SC-7(16), SC-7(21)]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.1.14, 3.1.20, 3.4.6, 3.4.7, 3.13.2, 3.13.5]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#   covers:
#     AWS::EC2::SecurityGroup:
#       catalog: [AWS-NET-007]
#       controls:
#         aws_fsbp: [EC2.2]
#         cis_aws_3.0.0: ["5.4"]
#         cis_aws_5.0.0: ["5.5"]
#         cis_aws_7.0.0: ["6.5"]
#       fix:
#         cli: aws ec2 revoke-security-group-ingress and revoke-security-group-egress for every rule of the group
#         terraform: aws_default_security_group without ingress and egress blocks
package policies.network.default_group_empty

import data.policies.lib.filter
import rego.v1

scope contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.firewall_type == "security_group"
	firewall.is_default == true
}

fail contains {
	"id": firewall.id, "fact": "ingress", "expected": [], "actual": [filter.shown(entry) | some entry in firewall.ingress],
	"message": sprintf("the default group has ingress rules (%d)", [count(firewall.ingress)]),
} if {
	some firewall in input.resources.firewall
	firewall.id in scope
	count(firewall.ingress) > 0
}

fail contains {
	"id": firewall.id, "fact": "egress", "expected": [], "actual": [replace(filter.shown(entry), " from ", " to ") | some entry in firewall.egress],
	"message": sprintf("the default group has egress rules (%d)", [count(firewall.egress)]),
} if {
	some firewall in input.resources.firewall
	firewall.id in scope
	count(firewall.egress) > 0
}
