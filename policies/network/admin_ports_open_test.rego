package policies.network.admin_ports_open_test

import data.policies.network.admin_ports_open
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

params := {"network.admin_ports_open": {"ports": [22, 3389], "widest_v4": 16, "widest_v6": 32}}

firewall := {"id": "g", "firewall_type": "security_group", "ingress": [entry], "ingress_resolved": true}

world(changes) := {"params": params, "resources": {"firewall": [object.union(firewall, changes)]}}

blind(facts) := {"params": params, "resources": {"firewall": [object.remove(firewall, facts)]}}

test_fails if {
	admin_ports_open.fail == {{
		"id": "g", "fact": "ingress", "expected": "no admin port open to the internet",
		"actual": "tcp 20-25 from 0.0.0.0/0",
		"message": "admits tcp 20-25 from 0.0.0.0/0, which reaches port 22",
	}} with input as world({"ingress": [entry_with({"from_port": 20, "to_port": 25})]})
	admin_ports_open.fail == {{
		"id": "g", "fact": "ingress", "expected": "no admin port open to the internet",
		"actual": "all traffic from ::/0",
		"message": "admits all traffic from ::/0, which reaches port 22, 3389",
	}} with input as world({"ingress": [all_from("::/0", "cidr")]})
}

test_halves_of_the_internet_fail if {
	halves := [entry_with({"from_port": 22, "to_port": 22, "source": "0.0.0.0/1"}), entry_with({"from_port": 22, "to_port": 22, "source": "128.0.0.0/1"})]
	{f.message | some f in admin_ports_open.fail} == {
		"admits tcp 22 from 0.0.0.0/1, which reaches port 22",
		"admits tcp 22 from 128.0.0.0/1, which reaches port 22",
	} with input as world({"ingress": halves})
}

test_passes if {
	admin_ports_open.scope == {"g"} with input as world({})
	every ingress in [
		[],
		[entry],
		[entry_with({"from_port": 22, "to_port": 22, "source": "203.0.113.0/24"})],
		[entry_with({"from_port": 22, "to_port": 22, "source": "10.0.0.0/8"})],
		[entry_with({"from_port": 22, "to_port": 22, "source_type": "group", "source": "sg-bastion"})],
		[entry_with({"protocol": "icmp", "from_port": -1, "to_port": -1})],
	] {
		admin_ports_open.fail == set() with input as world({"ingress": ingress})
	}
}

test_safe_where_no_entry_matters if {
	every ingress in [[], [entry], [listed(443)], [all_from("g", "self")]] {
		admin_ports_open.safe == {"g"} with input as world({"ordered_ingress": ingress})
		admin_ports_open.fail == set() with input as world({"ordered_ingress": ingress, "ingress": ingress})
	}
	every ingress in [[listed(22)], [all_from("pl", "prefix_list")], [entry_with({"from_port": 22, "to_port": 22})]] {
		admin_ports_open.safe == set() with input as world({"ordered_ingress": ingress})
	}
	admin_ports_open.safe == set() with input as world({"ingress": []})
}

test_resolved if {
	admin_ports_open.resolved == {"g"} with input as world({})
	admin_ports_open.resolved == set() with input as blind(["ingress_resolved"])
}

test_acl_is_out_of_scope if {
	admin_ports_open.scope == set() with input as world({"firewall_type": "acl"})
	admin_ports_open.fail == set() with input as world({"firewall_type": "acl", "ingress": [all_from("0.0.0.0/0", "cidr")]})
}

test_blind_proves_nothing if {
	admin_ports_open.scope == {"g"} with input as blind(["ingress", "ingress_resolved"])
	admin_ports_open.fail == set() with input as blind(["ingress", "ingress_resolved"])
	admin_ports_open.scope == set() with input as blind(["firewall_type"])
}

test_a_prefix_list_fails_by_what_is_in_it if {
	listed_entry := entry_with({"from_port": 22, "to_port": 22, "list": "pl"})
	admin_ports_open.fail == {{
		"id": "g", "fact": "ingress", "expected": "no admin port open to the internet",
		"actual": "tcp 22 from 0.0.0.0/0 (pl)",
		"message": "admits tcp 22 from 0.0.0.0/0 (pl), which reaches port 22",
	}} with input as world({"ingress": [listed(22)], "listed_ingress": [listed_entry]})
	admin_ports_open.fail == set() with input as world({"listed_ingress": [object.union(listed_entry, {"source": "192.0.2.0/24"})]})
}
