# METADATA
# title: Network ACLs of accelerator subnets do not let the internet reach SSH and RDP
# description: >-
#   The second, stateless barrier in front of the training subnets. Entries are read in order: one that allows counts
#   unless an earlier one denies the port to all of the same block. The ACL that a network is made with allows
#   everything. Only ACLs with an accelerator node in one of their subnets are judged.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/nacl-rules.html
# custom:
#   severity: medium
#   kind: firewall
#   scope_on: [firewall_type, protects_accelerators]
#   fail_on: [ordered_ingress]
#   params:
#     ports: [22, 3389]
#     widest_v4: 16
#     widest_v6: 32
#   controls:
#     nist_800_53_r5: [AC-4(21), CA-9(1), CM-2, CM-2(2), CM-7, SC-7, SC-7(5), SC-7(21)]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#   covers:
#     AWS::EC2::NetworkAcl:
#       catalog: [AWS-NET-008]
#       controls:
#         aws_fsbp: [EC2.21]
#         cis_aws_3.0.0: ["5.1"]
#         cis_aws_5.0.0: ["5.2"]
#         cis_aws_7.0.0: ["6.2"]
#       fix:
#         cli: >-
#           aws ec2 replace-network-acl-entry --network-acl-id ACL --ingress --rule-number NUMBER --protocol tcp
#           --port-range From=22,To=22 --rule-action allow --cidr-block NARROWER_CIDR
#         terraform: aws_network_acl_rule with a narrower cidr_block, or an earlier deny of the port
package policies.network.acl_admin_ports

import data.policies.lib.cidr
import data.policies.lib.filter
import rego.v1

ports := input.params["network.acl_admin_ports"].ports

limits := {
	"widest_v4": input.params["network.acl_admin_ports"].widest_v4,
	"widest_v6": input.params["network.acl_admin_ports"].widest_v6,
}

scope contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.firewall_type == "acl"
	firewall.protects_accelerators == true
}

fail contains {
	"id": firewall.id, "fact": "ordered_ingress", "expected": "admin ports denied to the internet",
	"actual": filter.shown(entry),
	"message": sprintf("entry %d admits %s, which reaches port %s", [entry.priority, filter.shown(entry), concat(", ", [sprintf("%d", [port]) | some port in open])]),
} if {
	some firewall in input.resources.firewall
	firewall.id in scope
	some entry in firewall.ordered_ingress
	entry.protocol in {"tcp", "all"}
	filter.from_internet(entry, limits)
	open := [port | some port in ports; filter.reaches(entry, port); count(earlier_denials(firewall.ordered_ingress, entry, port)) == 0]
	count(open) > 0
}

# Entries that take a TCP port from all of an entry's block before it is read.
earlier_denials(entries, entry, port) := [denial |
	some denial in entries
	denial.action == "deny"
	denial.priority < entry.priority
	denial.protocol in {"tcp", "all"}
	filter.reaches(denial, port)
	count(cidr.holders(entry.source, [denial.source])) > 0
]
