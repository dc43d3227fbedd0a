package policies.network.efa_self_only_test

import data.policies.network.efa_self_only
import rego.v1

entry := {
	"protocol": "tcp", "from_port": 443, "to_port": 443, "source": "0.0.0.0/0", "source_type": "cidr",
	"action": "allow", "priority": 0,
}

entry_with(changes) := object.union(entry, changes)

all_from(source, type) := entry_with({
	"protocol": "all", "from_port": 0, "to_port": 65535, "source": source, "source_type": type, "priority": 100,
})

firewall := {"id": "g", "firewall_type": "security_group", "efa": true, "ingress": [all_from("g", "self"), entry]}

world(changes) := {"resources": {"firewall": [object.union(firewall, changes)]}}

blind(facts) := {"resources": {"firewall": [object.remove(firewall, facts)]}}

test_fails if {
	every type in ["cidr", "group", "prefix_list"] {
		efa_self_only.fail == {{
			"id": "g", "fact": "ingress", "expected": "all traffic from the group itself alone",
			"actual": "all traffic from other",
			"message": "an EFA group admits all traffic from other",
		}} with input as world({"ingress": [all_from("other", type), all_from("g", "self")]})
	}
}

test_passes if {
	efa_self_only.scope == {"g"} with input as world({})
	efa_self_only.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"efa": false}, {"firewall_type": "acl"}] {
		efa_self_only.scope == set() with input as world(change)
		efa_self_only.fail == set() with input as world(object.union(change, {"ingress": [all_from("0.0.0.0/0", "cidr")]}))
	}
}

test_blind_proves_nothing if {
	efa_self_only.scope == {"g"} with input as blind(["ingress"])
	efa_self_only.fail == set() with input as blind(["ingress"])
	efa_self_only.scope == set() with input as blind(["efa"])
}
