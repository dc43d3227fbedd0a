# METADATA
# title: Security groups keep SSH and RDP closed to the internet
# description: >-
#   The way to administer GPU nodes must not be open to everyone. Only ingress counts, and a rule for all protocols
#   covers every port. A public block wider than /`widest_v4` (IPv6: /`widest_v6`) counts as the internet, so two halves
#   do not slip through. A prefix list is read block by block; a group that admits one that was not seen is unknown
#   unless something else fails. Lists of AWS's own services (CloudFront, S3) count as narrow. Groups are judged whether
#   or not anything is attached to them.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html
#   - https://docs.aws.amazon.com/systems-manager/latest/userguide/session-manager.html
# custom:
#   severity: critical
#   kind: firewall
#   scope_on: [firewall_type]
#   fail_on: [ingress, listed_ingress, ingress_resolved, ordered_ingress]
#   params:
#     ports: [22, 3389]
#     widest_v4: 16
#     widest_v6: 32
#   controls:
#     nist_800_53_r5: [AC-4, AC-4(21), CM-7, SC-7, SC-7(4), SC-7(5), SC-7(11), SC-7(16), SC-7(21)]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.1.14, 3.1.20, 3.4.7, 3.13.1, 3.13.2, 3.13.5, 3.13.6]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6, CC7.2]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#   covers:
#     AWS::EC2::SecurityGroup:
#       catalog: [AWS-NET-003]
#       controls:
#         aws_fsbp: [EC2.13, EC2.14]
#         cis_aws_3.0.0: ["5.2", "5.3"]
#         cis_aws_5.0.0: ["5.3", "5.4"]
#         cis_aws_7.0.0: ["6.3", "6.4"]
#       fix:
#         cli: aws ec2 revoke-security-group-ingress --group-id GROUP --security-group-rule-ids RULE
#         terraform: remove the rule, or name a security group in referenced_security_group_id in place of the CIDR
package policies.network.admin_ports_open

import data.policies.lib.filter
import rego.v1

ports := input.params["network.admin_ports_open"].ports

limits := {
	"widest_v4": input.params["network.admin_ports_open"].widest_v4,
	"widest_v6": input.params["network.admin_ports_open"].widest_v6,
}

scope contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.firewall_type == "security_group"
}

fail contains {
	"id": firewall.id, "fact": "ingress", "expected": "no admin port open to the internet",
	"actual": filter.named(entry),
	"message": sprintf("admits %s, which reaches port %s", [filter.named(entry), concat(", ", [sprintf("%d", [port]) | some port in open])]),
} if {
	some firewall in input.resources.firewall
	firewall.id in scope
	some entry in array.concat([e | some e in firewall.ingress], [e | some e in firewall.listed_ingress])
	open := filter.reached(entry, ports)
	count(open) > 0
	filter.from_internet(entry, limits)
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
	count([entry | some entry in entries; count(filter.reached(entry, ports)) > 0; wide(entry)]) == 0
}

wide(entry) if filter.from_internet(entry, limits)

wide(entry) if entry.source_type == "prefix_list"
