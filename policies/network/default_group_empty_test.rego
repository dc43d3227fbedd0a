package policies.network.default_group_empty_test

import data.policies.network.default_group_empty
import rego.v1

firewall := {"id": "g", "firewall_type": "security_group", "is_default": true, "ingress": [], "egress": []}

world(changes) := {"resources": {"firewall": [object.union(firewall, changes)]}}

blind(facts) := {"resources": {"firewall": [object.remove(firewall, facts)]}}

test_fails if {
	default_group_empty.fail == {
		{"id": "g", "fact": "ingress", "expected": [], "actual": ["all traffic from g"], "message": "the default group has ingress rules (1)"},
		{"id": "g", "fact": "egress", "expected": [], "actual": ["all traffic to 0.0.0.0/0", "icmp to 10.0.0.0/8"], "message": "the default group has egress rules (2)"},
	} with input as world({"ingress": [{"protocol": "all", "source": "g"}], "egress": [{"protocol": "all", "source": "0.0.0.0/0"}, {"protocol": "icmp", "source": "10.0.0.0/8"}]})
}

test_passes if {
	default_group_empty.scope == {"g"} with input as world({})
	default_group_empty.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"is_default": false}, {"firewall_type": "acl"}] {
		default_group_empty.scope == set() with input as world(change)
		default_group_empty.fail == set() with input as world(object.union(change, {"ingress": [{"protocol": "all"}]}))
	}
}

test_blind_proves_nothing if {
	default_group_empty.scope == {"g"} with input as blind(["ingress", "egress"])
	default_group_empty.fail == set() with input as blind(["ingress", "egress"])
	default_group_empty.scope == set() with input as blind(["is_default"])
}
