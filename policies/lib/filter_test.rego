package policies.lib.filter_test

import data.policies.lib.filter
import rego.v1

limits := {"widest_v4": 16, "widest_v6": 32}

entry := {
	"protocol": "tcp", "from_port": 22, "to_port": 22, "source": "0.0.0.0/0", "source_type": "cidr",
	"action": "allow", "priority": 0,
}

with_(changes) := object.union(entry, changes)

test_from_internet if {
	filter.from_internet(entry, limits)
	{c | some c in [{"action": "deny"}, {"source_type": "group"}, {"source": "10.0.0.0/8"}]; filter.from_internet(with_(c), limits)} == set()
}

test_reaches if {
	filter.reaches(entry, 22)
	filter.reaches(with_({"protocol": "all", "from_port": 0, "to_port": 65535}), 3389)
	{c | some c in [{"protocol": "icmp"}, {"from_port": 23, "to_port": 80}]; filter.reaches(with_(c), 22)} == set()
}

test_reached if {
	filter.reached(with_({"to_port": 80}), [3389, 80, 22]) == [80, 22]
	filter.reached(with_({"protocol": "all", "from_port": 0, "to_port": 65535}), [3389]) == [3389]
	filter.reached(entry, [23]) == []
	{c | some c in [{"protocol": "icmp"}]; filter.reached(with_(c), [22])} == set()
}

test_all_traffic if {
	filter.all_traffic(with_({"protocol": "all"}))
	filter.all_traffic(with_({"from_port": 1, "to_port": 65535}))
	{c | some c in [{}, {"from_port": 1024, "to_port": 65535}, {"protocol": "icmp", "from_port": -1, "to_port": -1}]; filter.all_traffic(with_(c))} == set()
}

test_shown if {
	filter.shown(entry) == "tcp 22 from 0.0.0.0/0"
	filter.shown(with_({"to_port": 25})) == "tcp 22-25 from 0.0.0.0/0"
	filter.shown(with_({"protocol": "all", "from_port": 0, "to_port": 65535})) == "all traffic from 0.0.0.0/0"
	filter.shown(with_({"protocol": "icmp", "from_port": -1, "to_port": -1})) == "icmp from 0.0.0.0/0"
}
