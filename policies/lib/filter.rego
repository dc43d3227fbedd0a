# Entries of packet filters, as the kind `firewall` describes them.
package policies.lib.filter

import data.policies.lib.cidr
import rego.v1

# The entry lets the internet in. `limits` are parameters: blocks wider than /widest_v4 and /widest_v6 count as the internet.
from_internet(entry, limits) if {
	entry.action == "allow"
	entry.source_type == "cidr"
	cidr.internet(entry.source, limits.widest_v4, limits.widest_v6)
}

# The entry reaches a port. Only TCP and UDP have ports: ICMP writes types in their place.
reaches(entry, port) if {
	entry.protocol in {"tcp", "udp", "all"}
	entry.from_port <= port
	port <= entry.to_port
}

# The ports of a list that the entry reaches: one question for all of them.
reached(entry, ports) := [port | some port in ports; entry.from_port <= port; port <= entry.to_port] if {
	entry.protocol in {"tcp", "udp", "all"}
}

# Every protocol, or every port of one.
all_traffic(entry) if entry.protocol == "all"

all_traffic(entry) if {
	entry.protocol in {"tcp", "udp"}
	entry.from_port <= 1
	entry.to_port == 65535
}

# The entry in words, with the prefix list that it comes from.
named(entry) := sprintf("%s (%s)", [shown(entry), entry.list])

named(entry) := shown(entry) if count(object.keys(entry) & {"list"}) == 0

# The entry in words: `tcp 8000-8002 from 0.0.0.0/0`.
shown(entry) := sprintf("all traffic from %s", [entry.source]) if entry.protocol == "all"

shown(entry) := sprintf("%s %d from %s", [entry.protocol, entry.from_port, entry.source]) if {
	entry.protocol in {"tcp", "udp"}
	entry.from_port == entry.to_port
}

shown(entry) := sprintf("%s %d-%d from %s", [entry.protocol, entry.from_port, entry.to_port, entry.source]) if {
	entry.protocol in {"tcp", "udp"}
	entry.from_port < entry.to_port
}

shown(entry) := sprintf("%s from %s", [entry.protocol, entry.source]) if count({entry.protocol} - {"all", "tcp", "udp"}) > 0
