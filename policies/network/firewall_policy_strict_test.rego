package policies.network.firewall_policy_strict_test

import data.policies.network.firewall_policy_strict
import rego.v1

params := {"network.firewall_policy_strict": {"drops": ["aws:drop_strict", "aws:drop_established"]}}

policy := {
	"id": "p", "firewall_type": "firewall_policy", "rule_order": "strict", "default_actions": ["aws:drop_established", "aws:alert_established"],
	"stateless_actions": ["aws:forward_to_sfe"],
}

world(changes) := {"params": params, "resources": {"firewall": [object.union(policy, changes)]}}

test_order_fails if {
	firewall_policy_strict.fail == {{
		"id": "p", "fact": "rule_order", "expected": "strict",
		"message": "reads rules by action and passes what none of them drops",
	}} with input as world({"rule_order": "action", "default_actions": []})
}

test_default_fails if {
	every actions in [[], ["aws:alert_strict"]] {
		firewall_policy_strict.fail == {{
			"id": "p", "fact": "default_actions", "expected": ["aws:drop_established", "aws:drop_strict"],
			"message": "does not drop what no rule allows",
		}} with input as world({"default_actions": actions})
	}
}

test_stateless_fails if {
	firewall_policy_strict.fail == {{
		"id": "p", "fact": "stateless_actions", "expected": "aws:forward_to_sfe or aws:drop",
		"message": "passes packets before any stateful rule sees them",
	}} with input as world({"stateless_actions": ["aws:drop", "aws:pass"]})
}

test_passes if {
	firewall_policy_strict.scope == {"p"} with input as world({})
	firewall_policy_strict.fail == set() with input as world({})
}

test_out_of_scope if {
	firewall_policy_strict.scope == set() with input as world({"firewall_type": "acl", "rule_order": "action"})
	firewall_policy_strict.fail == set() with input as world({"firewall_type": "acl", "rule_order": "action"})
}

test_blind_proves_nothing if {
	blind := {"params": params, "resources": {"firewall": [{"id": "p", "firewall_type": "firewall_policy"}, {"id": "q", "firewall_type": "firewall_policy", "rule_order": "strict"}]}}
	firewall_policy_strict.fail == set() with input as blind
}
