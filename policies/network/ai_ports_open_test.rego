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

# A prefix list, of which the entries are not read.
listed(port) := entry_with({"from_port": port, "to_port": port, "source_type": "prefix_list", "source": "pl"})

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

test_all_traffic_and_nearly_all_of_it_fail if {
	every open in [all_from("0.0.0.0/0", "cidr"), entry_with({"from_port": 0, "to_port": 65535}), entry_with({"from_port": 0, "to_port": 65534})] {
		count(ai_ports_open.fail) == 1 with input as world({"ingress": [open]})
	}
}

test_a_long_list_of_services_is_kept_short if {
	many := {sprintf("%d", [port]): sprintf("s%d", [port]) | some port in numbers.range(1, 8)}
	{f.message | some f in ai_ports_open.fail} == {
		"admits all traffic from ::/0, which reaches s1 (1), s2 (2), s3 (3), s4 (4), s5 (5), s6 (6) and 2 more",
	} with input as {
		"params": {"network.ai_ports_open": {"ports": many, "widest_v4": 16, "widest_v6": 32}},
		"resources": {"firewall": [object.union(firewall, {"ingress": [all_from("::/0", "cidr")]})]},
	}
}

test_passes if {
	ai_ports_open.scope == {"g"} with input as world({})
	every ingress in [
		[],
		[entry],
		[entry_with({"from_port": 8888, "to_port": 8888, "source": "203.0.113.0/24"})],
		[entry_with({"from_port": 8888, "to_port": 8888, "source_type": "group", "source": "sg-front"})],
	] {
		ai_ports_open.fail == set() with input as world({"ingress": ingress})
	}
}

test_safe_where_no_entry_matters if {
	every ingress in [[], [entry], [listed(443)], [all_from("g", "self")]] {
		ai_ports_open.safe == {"g"} with input as world({"ordered_ingress": ingress})
		ai_ports_open.fail == set() with input as world({"ordered_ingress": ingress, "ingress": ingress})
	}
	every ingress in [[listed(8888)], [all_from("pl", "prefix_list")], [entry_with({"from_port": 8888, "to_port": 8888})]] {
		ai_ports_open.safe == set() with input as world({"ordered_ingress": ingress})
	}
	ai_ports_open.safe == set() with input as world({"ingress": []})
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

test_a_prefix_list_fails_by_what_is_in_it if {
	listed_entry := entry_with({"from_port": 8888, "to_port": 8888, "list": "pl"})
	ai_ports_open.fail == {{
		"id": "g", "fact": "ingress", "expected": "no port of an AI service open to the internet",
		"actual": "tcp 8888 from 0.0.0.0/0 (pl)",
		"message": "admits tcp 8888 from 0.0.0.0/0 (pl), which reaches Jupyter (8888)",
	}} with input as world({"ingress": [listed(8888)], "listed_ingress": [listed_entry]})
	ai_ports_open.fail == set() with input as world({"listed_ingress": [object.union(listed_entry, {"source": "192.0.2.0/24"})]})
}
