package policies.network.all_ports_open_test

import data.policies.network.all_ports_open
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

params := {"network.all_ports_open": {"widest_v4": 16, "widest_v6": 32}}

firewall := {
	"id": "g", "firewall_type": "security_group", "ingress": [entry], "ingress_resolved": true,
	"network_cidrs": ["10.1.0.0/16", "100.64.0.0/16"],
}

world(changes) := {"params": params, "resources": {"firewall": [object.union(firewall, changes)]}}

blind(changes, facts) := {"params": params, "resources": {"firewall": [object.remove(object.union(firewall, changes), facts)]}}

test_internet_fails if {
	every source in ["0.0.0.0/0", "::/0"] {
		all_ports_open.fail == {{
			"id": "g", "fact": "ingress", "expected": "no all-traffic rule from outside the network",
			"actual": sprintf("all traffic from %s", [source]),
			"message": sprintf("admits all traffic from %s, which is the internet", [source]),
		}} with input as world({"ingress": [all_from(source, "cidr")]})
	}
}

test_all_ports_fail if {
	all_ports_open.fail == {{
		"id": "g", "fact": "ingress", "expected": "no all-traffic rule from outside the network",
		"actual": "tcp 0-65535 from 0.0.0.0/0",
		"message": "admits tcp 0-65535 from 0.0.0.0/0, which is the internet",
	}} with input as world({"ingress": [entry_with({"from_port": 0, "to_port": 65535})]})
}

test_outside_the_network_fails if {
	all_ports_open.fail == {{
		"id": "g", "fact": "ingress", "expected": "no all-traffic rule from outside the network",
		"actual": "all traffic from 10.0.0.0/8",
		"message": "admits all traffic from 10.0.0.0/8, which is not inside its network (10.1.0.0/16, 100.64.0.0/16)",
	}} with input as world({"ingress": [all_from("10.0.0.0/8", "cidr")]})
}

test_passes if {
	all_ports_open.scope == {"g"} with input as world({})
	every ingress in [[], [entry], [all_from("10.1.2.0/24", "cidr")], [all_from("g", "self")], [all_from("other", "group")]] {
		all_ports_open.fail == set() with input as world({"ingress": ingress})
	}
}

test_safe_where_no_entry_matters if {
	every ingress in [[], [entry], [listed(443)], [all_from("g", "self")]] {
		all_ports_open.safe == {"g"} with input as world({"ordered_ingress": ingress})
		all_ports_open.fail == set() with input as world({"ordered_ingress": ingress, "ingress": ingress})
	}
	every ingress in [[all_from("pl", "prefix_list")], [all_from("10.1.0.0/16", "cidr")]] {
		all_ports_open.safe == set() with input as world({"ordered_ingress": ingress})
	}
	all_ports_open.safe == set() with input as world({"ingress": []})
}

test_resolved if {
	all_ports_open.resolved == {"g"} with input as world({})
	all_ports_open.resolved == set() with input as blind({}, ["ingress_resolved"])
}

test_acl_is_out_of_scope if {
	all_ports_open.scope == set() with input as world({"firewall_type": "acl"})
	all_ports_open.fail == set() with input as world({"firewall_type": "acl", "ingress": [all_from("0.0.0.0/0", "cidr")]})
}

test_blind_proves_nothing if {
	all_ports_open.scope == {"g"} with input as blind({}, ["ingress", "network_cidrs"])
	all_ports_open.fail == set() with input as blind({}, ["ingress", "network_cidrs"])
	all_ports_open.fail == set() with input as blind({"ingress": [all_from("10.0.0.0/8", "cidr")]}, ["network_cidrs"])
	all_ports_open.scope == set() with input as blind({}, ["firewall_type"])
}

test_a_prefix_list_fails_by_what_is_in_it if {
	all_ports_open.fail == {{
		"id": "g", "fact": "ingress", "expected": "no all-traffic rule from outside the network",
		"actual": "all traffic from 10.0.0.0/8 (pl)",
		"message": "admits all traffic from 10.0.0.0/8 (pl), which is not inside its network (10.1.0.0/16, 100.64.0.0/16)",
	}} with input as world({"listed_ingress": [object.union(all_from("10.0.0.0/8", "cidr"), {"list": "pl"})]})
}
