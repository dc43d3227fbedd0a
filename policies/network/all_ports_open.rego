# METADATA
# title: Security groups admit all traffic only from inside their own network
# description: >-
#   A rule for every protocol or port erases the border between back end and front end; private blanket blocks such as
#   10.0.0.0/8 reach other networks through peering and transit gateways, so a block counts as inside only where the
#   network's own blocks hold it. All traffic from a security group (its own, as EFA needs, or another) is not judged.
#   A prefix list is read block by block; a group that admits all traffic from one that was not seen is unknown unless
#   something else fails. Lists of AWS's own services count as narrow.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html
# custom:
#   severity: high
#   kind: firewall
#   scope_on: [firewall_type]
#   fail_on: [ingress, listed_ingress, ingress_resolved, ordered_ingress, network_cidrs]
#   params:
#     widest_v4: 16
#     widest_v6: 32
#   controls:
#     nist_800_53_r5: [AC-4, AC-4(21), SC-7, SC-7(4), SC-7(5), SC-7(11), SC-7(16), SC-7(21)]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.2.5, 1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#   covers:
#     AWS::EC2::SecurityGroup:
#       catalog: [AWS-NET-005]
#       controls:
#         aws_fsbp: [EC2.18]
#         cis_aws_3.0.0: ["5.2", "5.3"]
#         cis_aws_5.0.0: ["5.3", "5.4"]
#         cis_aws_7.0.0: ["6.3", "6.4"]
#       fix:
#         cli: aws ec2 revoke-security-group-ingress --group-id GROUP --security-group-rule-ids RULE
#         terraform: replace the rule by rules for single ports between security groups
package policies.network.all_ports_open

import data.policies.lib.cidr
import data.policies.lib.filter
import rego.v1

limits := {
	"widest_v4": input.params["network.all_ports_open"].widest_v4,
	"widest_v6": input.params["network.all_ports_open"].widest_v6,
}

scope contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.firewall_type == "security_group"
}

fail contains {
	"id": firewall.id, "fact": "ingress", "expected": "no all-traffic rule from outside the network",
	"actual": filter.named(entry),
	"message": sprintf("admits %s, which is the internet", [filter.named(entry)]),
} if {
	some firewall in input.resources.firewall
	firewall.id in scope
	some entry in ({e | some e in firewall.ingress} | {e | some e in firewall.listed_ingress})
	filter.all_traffic(entry)
	filter.from_internet(entry, limits)
}

fail contains {
	"id": firewall.id, "fact": "ingress", "expected": "no all-traffic rule from outside the network",
	"actual": filter.named(entry),
	"message": sprintf("admits %s, which is not inside its network (%s)", [filter.named(entry), concat(", ", sort(inside))]),
} if {
	some firewall in input.resources.firewall
	firewall.id in scope
	inside := firewall.network_cidrs
	some entry in ({e | some e in firewall.ingress} | {e | some e in firewall.listed_ingress})
	filter.all_traffic(entry)
	entry.action == "allow"
	entry.source_type == "cidr"
	holders := cidr.holders(entry.source, inside)
	count(holders) == 0
	count([everyone | some everyone in [entry]; filter.from_internet(everyone, limits)]) == 0
}

# Proves nothing: where a prefix list was not seen this fact is unknown, and so is a verdict that does not fail.
resolved contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.ingress_resolved == true
}

# All entries were seen, and none that matters has a source that was not read.
safe contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.id in scope
	entries := firewall.ordered_ingress
	count([entry | some entry in entries; may_matter(entry)]) == 0
}

may_matter(entry) if {
	filter.all_traffic(entry)
	entry.source_type in {"cidr", "prefix_list"}
}
