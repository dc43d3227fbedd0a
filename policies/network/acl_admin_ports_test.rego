package policies.network.acl_admin_ports_test

import data.policies.network.acl_admin_ports
import rego.v1

entry := {
	"protocol": "tcp", "from_port": 443, "to_port": 443, "source": "0.0.0.0/0", "source_type": "cidr",
	"action": "allow", "priority": 0,
}

entry_with(changes) := object.union(entry, changes)

all_from(source, type) := entry_with({
	"protocol": "all", "from_port": 0, "to_port": 65535, "source": source, "source_type": type, "priority": 100,
})

params := {"network.acl_admin_ports": {"ports": [22, 3389], "widest_v4": 16, "widest_v6": 32}}

ssh(changes) := entry_with(object.union({"from_port": 22, "to_port": 22, "priority": 100}, changes))

firewall := {"id": "a", "firewall_type": "acl", "protects_accelerators": true, "ordered_ingress": [entry]}

world(changes) := {"params": params, "resources": {"firewall": [object.union(firewall, changes)]}}

blind(facts) := {"params": params, "resources": {"firewall": [object.remove(firewall, facts)]}}

test_fails if {
	acl_admin_ports.fail == {{
		"id": "a", "fact": "ordered_ingress", "expected": "admin ports denied to the internet",
		"actual": "tcp 22 from 0.0.0.0/0",
		"message": "entry 100 admits tcp 22 from 0.0.0.0/0, which reaches port 22",
	}} with input as world({"ordered_ingress": [ssh({})]})
}

test_a_later_deny_does_not_help if {
	count(acl_admin_ports.fail) == 1 with input as world({"ordered_ingress": [ssh({}), ssh({"action": "deny", "priority": 200})]})
}

test_an_earlier_deny_of_less_does_not_help if {
	every change in [{"source": "10.0.0.0/8"}, {"protocol": "udp"}, {"from_port": 23, "to_port": 80}] {
		count(acl_admin_ports.fail) == 1 with input as world({"ordered_ingress": [ssh(object.union({"action": "deny", "priority": 50}, change)), ssh({})]})
	}
}

test_passes if {
	acl_admin_ports.scope == {"a"} with input as world({})
	every ingress in [
		[], [entry], [ssh({"source": "203.0.113.0/24"})],
		[ssh({"action": "deny", "priority": 50}), ssh({})],
		[ssh({"action": "deny", "priority": 50}), ssh({"action": "deny", "priority": 60, "from_port": 3389, "to_port": 3389}), all_from("0.0.0.0/0", "cidr")],
		[ssh({"protocol": "all", "from_port": 0, "to_port": 65535, "action": "deny", "priority": 50}), ssh({})],
	] {
		acl_admin_ports.fail == set() with input as world({"ordered_ingress": ingress})
	}
}

test_out_of_scope if {
	every change in [{"protects_accelerators": false}, {"firewall_type": "security_group"}] {
		acl_admin_ports.scope == set() with input as world(change)
		acl_admin_ports.fail == set() with input as world(object.union(change, {"ordered_ingress": [ssh({})]}))
	}
}

test_blind_proves_nothing if {
	acl_admin_ports.scope == {"a"} with input as blind(["ordered_ingress"])
	acl_admin_ports.fail == set() with input as blind(["ordered_ingress"])
	acl_admin_ports.scope == set() with input as blind(["protects_accelerators"])
}
