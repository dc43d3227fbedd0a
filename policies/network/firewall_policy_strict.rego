# METADATA
# title: Firewall policies drop what no rule allows
# description: >-
#   Without strict order a policy passes what no rule drops, and default actions have no effect. `drops` lists the default
#   actions that drop. Stateless defaults must forward to the stateful rules, or drop. Rules are judged by themselves, in their groups.
# related_resources:
#   - https://docs.aws.amazon.com/network-firewall/latest/developerguide/suricata-rule-evaluation-order.html
# custom:
#   severity: high
#   kind: firewall
#   scope_on: [firewall_type]
#   fail_on: [rule_order, default_actions, stateless_actions]
#   params:
#     drops: ["aws:drop_strict", "aws:drop_established", "aws:drop_established_app_layer", "aws:drop_established_app_layer_to_server"]
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-2]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.3]
#     mitre_atlas: [AML.T0025]
#   covers:
#     AWS::NetworkFirewall::FirewallPolicy:
#       catalog: [AWS-NET-015]
#       controls:
#         aws_fsbp: [NetworkFirewall.4, NetworkFirewall.5]
#       fix:
#         cli: >-
#           aws network-firewall update-firewall-policy with StatefulEngineOptions RuleOrder=STRICT_ORDER and
#           StatefulDefaultActions aws:drop_established
#         terraform: "stateful_default_actions = [\"aws:drop_established\"], stateful_engine_options { rule_order = \"STRICT_ORDER\" }"
package policies.network.firewall_policy_strict

import rego.v1

drops := {action | some action in input.params["network.firewall_policy_strict"].drops}

scope contains policy.id if {
	some policy in input.resources.firewall
	policy.firewall_type == "firewall_policy"
}

fail contains {
	"id": policy.id, "fact": "rule_order", "expected": "strict",
	"message": "reads rules by action and passes what none of them drops",
} if {
	some policy in input.resources.firewall
	policy.id in scope
	policy.rule_order == "action"
}

fail contains {
	"id": policy.id, "fact": "default_actions", "expected": sort(drops),
	"message": "does not drop what no rule allows",
} if {
	some policy in input.resources.firewall
	policy.id in scope
	policy.rule_order == "strict"
	actions := policy.default_actions
	count({action | some action in actions} & drops) == 0
}

fail contains {
	"id": policy.id, "fact": "stateless_actions", "expected": "aws:forward_to_sfe or aws:drop",
	"message": "passes packets before any stateful rule sees them",
} if {
	some policy in input.resources.firewall
	policy.id in scope
	"aws:pass" in policy.stateless_actions
}
