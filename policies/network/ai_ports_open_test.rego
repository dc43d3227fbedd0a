package policies.network.ai_ports_open_test

import data.policies.network.ai_ports_open
import rego.v1

entry := {
	"protocol": "tcp", "from_port": 443, "to_port": 443, "source": "0.0.0.0/0", "source_type": "cidr",
	"action": "allow", "priority": 0,
}

entry_with(changes) := object.union(entry, changes)

all_from(source, type) := entry_with({
	"protocol": "all", "from_port": 0, "to_port": 65535, "source": source, "source_type": type, "priority": 100,
})

params := {"network.ai_ports_open": {"ports": {"8265": "Ray dashboard", "8888": "Jupyter"}, "widest_v4": 16, "widest_v6": 32}}

firewall := {"id": "g", "firewall_type": "security_group", "ingress": [entry], "ingress_resolved": true}

world(changes) := {"params": params, "resources": {"firewall": [object.union(firewall, changes)]}}

blind(facts) := {"params": params, "resources": {"firewall": [object.remove(firewall, facts)]}}

test_fails if {
	ai_ports_open.fail == {{
		"id": "g", "fact": "ingress", "expected": "no port of an AI service open to the internet",
		"actual": "tcp 8000-9000 from 0.0.0.0/0",
		"message": "admits tcp 8000-9000 from 0.0.0.0/0, which reaches Jupyter (8888), Ray dashboard (8265)",
	}} with input as world({"ingress": [entry_with({"from_port": 8000, "to_port": 9000})]})
}

test_passes if {
	ai_ports_open.scope == {"g"} with input as world({})
	every ingress in [
		[],
		[entry],
		[entry_with({"from_port": 8888, "to_port": 8888, "source": "203.0.113.0/24"})],
		[entry_with({"from_port": 8888, "to_port": 8888, "source_type": "group", "source": "sg-front"})],
		[entry_with({"from_port": 0, "to_port": 65535})],
		[all_from("0.0.0.0/0", "cidr")],
	] {
		ai_ports_open.fail == set() with input as world({"ingress": ingress})
	}
}

test_resolved if {
	ai_ports_open.resolved == {"g"} with input as world({})
	ai_ports_open.resolved == set() with input as blind(["ingress_resolved"])
}

test_acl_is_out_of_scope if {
	ai_ports_open.scope == set() with input as world({"firewall_type": "acl"})
	ai_ports_open.fail == set() with input as world({"firewall_type": "acl", "ingress": [all_from("0.0.0.0/0", "cidr")]})
}

test_blind_proves_nothing if {
	ai_ports_open.scope == {"g"} with input as blind(["ingress", "ingress_resolved"])
	ai_ports_open.fail == set() with input as blind(["ingress", "ingress_resolved"])
	ai_ports_open.scope == set() with input as blind(["firewall_type"])
}
