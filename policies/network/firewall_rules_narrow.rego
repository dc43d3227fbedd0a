# METADATA
# title: Rule groups of network firewalls let nothing pass to everywhere
# description: >-
#   One rule that passes everything makes the rest of the firewall an ornament. Rules in Suricata's language (unless an
#   option narrows them), rules of five parts, domain lists with a whole top-level domain and stateless rules are read.
#   Groups that AWS manages, and lists that variables name, are not.
# related_resources:
#   - https://docs.aws.amazon.com/network-firewall/latest/developerguide/rule-groups.html
# custom:
#   severity: high
#   kind: firewall
#   scope_on: [firewall_type]
#   fail_on: [passes_all]
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-2]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.3]
#     mitre_atlas: [AML.T0025]
#   covers:
#     AWS::NetworkFirewall::RuleGroup:
#       catalog: [AWS-NET-015]
#       fix:
#         console: Replace the rule by ones that name the domains and ports that are needed
#         terraform: rules_source with the domains and ports that are needed
package policies.network.firewall_rules_narrow

import rego.v1

scope contains group.id if {
	some group in input.resources.firewall
	group.firewall_type == "rule_group"
}

fail contains {
	"id": group.id, "fact": "passes_all", "expected": [], "actual": rule,
	"message": sprintf("lets everything pass: %s", [rule]),
} if {
	some group in input.resources.firewall
	group.id in scope
	some rule in group.passes_all
}
