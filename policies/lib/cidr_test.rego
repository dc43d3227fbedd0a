package policies.lib.cidr_test

import data.policies.lib.cidr
import rego.v1

test_internet if {
	every block in ["0.0.0.0/0", "::/0", "0.0.0.0/1", "128.0.0.0/1", "8.0.0.0/8", "10.0.0.0/7", "2000::/3"] {
		cidr.internet(block, 16, 32)
	}
}

test_not_the_internet if {
	blocks := ["10.0.0.0/8", "172.16.0.0/12", "100.64.0.0/10", "203.0.113.0/24", "203.0.113.7/32", "fc00::/7", "2001:db8::/32", "junk", "::::/0", "10.0.0.1"]
	{block | some block in blocks; cidr.internet(block, 16, 32)} == set()
}

# The engines differ over whether a block of IPv4 holds one that writes it in IPv6; nothing is asked that would show it.
test_engines_agree_on_ipv4_in_ipv6 if {
	cidr.internet("::ffff:10.0.0.0/104", 16, 128)
	not cidr.internet("::ffff:10.0.0.0/104", 16, 32)
	not cidr.internet("fc00::/7", 16, 128)
}

test_holders if {
	cidr.holders("10.1.0.0/16", ["10.0.0.0/8", "192.168.0.0/16", "junk"]) == ["10.0.0.0/8"]
	cidr.holders("junk", ["10.0.0.0/8"]) == []
	cidr.holders("::/0", ["10.0.0.0/8"]) == []
}
