package policies.network.firewall_rules_narrow_test

import data.policies.network.firewall_rules_narrow
import rego.v1

world(changes) := {"resources": {"firewall": [object.union({"id": "g", "firewall_type": "rule_group", "passes_all": []}, changes)]}}

test_fails if {
	firewall_rules_narrow.fail == {{
		"id": "g", "fact": "passes_all", "expected": [], "actual": "pass ip any any -> any any",
		"message": "lets everything pass: pass ip any any -> any any",
	}} with input as world({"passes_all": ["pass ip any any -> any any"]})
}

test_passes if {
	firewall_rules_narrow.scope == {"g"} with input as world({})
	firewall_rules_narrow.fail == set() with input as world({})
}

test_out_of_scope if {
	firewall_rules_narrow.scope == set() with input as world({"firewall_type": "acl", "passes_all": ["x"]})
	firewall_rules_narrow.fail == set() with input as world({"firewall_type": "acl", "passes_all": ["x"]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"firewall": [{"id": "g", "firewall_type": "rule_group"}, {"id": "h", "passes_all": ["x"]}]}}
	firewall_rules_narrow.fail == set() with input as blind
	firewall_rules_narrow.scope == {"g"} with input as blind
}
