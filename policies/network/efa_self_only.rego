# METADATA
# title: Security groups of EFA interfaces let all traffic in from themselves alone
# description: >-
#   Who is in the EFA group can read the memory windows of its peers, so membership is the border. EFA needs an
#   all-traffic rule from the group to itself, which passes; an all-traffic rule from anything else fails. Narrow rules
#   (SSH from a bastion's group, Lustre ports) are not judged here, nor is the self rule for egress that EFA needs to
#   work. Groups that launch templates give to EFA interfaces count as well.
# related_resources:
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html
# custom:
#   severity: high
#   kind: firewall
#   scope_on: [firewall_type, efa]
#   fail_on: [ingress]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7, SC-7(5)]
#     nist_800_171_r2: [3.13.1, 3.13.6]
#     iso_27001_2022: [A.8.20, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.3.1, 1.4.2]
#   covers:
#     AWS::EC2::SecurityGroup:
#       catalog: [AWS-NET-002]
#       fix:
#         cli: >-
#           aws ec2 revoke-security-group-ingress --group-id GROUP --security-group-rule-ids RULE, and aws ec2
#           authorize-security-group-ingress --group-id GROUP --protocol -1 --source-group GROUP
#         terraform: >-
#           aws_vpc_security_group_ingress_rule with ip_protocol = "-1" and referenced_security_group_id of the group itself
package policies.network.efa_self_only

import data.policies.lib.filter
import rego.v1

scope contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.firewall_type == "security_group"
	firewall.efa == true
}

fail contains {
	"id": firewall.id, "fact": "ingress", "expected": "all traffic from the group itself alone",
	"actual": filter.shown(entry),
	"message": sprintf("an EFA group admits %s", [filter.shown(entry)]),
} if {
	some firewall in input.resources.firewall
	firewall.id in scope
	some entry in firewall.ingress
	entry.protocol == "all"
	entry.source_type in {"cidr", "group", "prefix_list"}
}
