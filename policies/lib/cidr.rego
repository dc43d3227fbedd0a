# Address blocks. Both engines stop at a text that is no block, so every question asks first whether it is one.
package policies.lib.cidr

import rego.v1

# Never seen as the source of a packet from the internet: RFC 1918, 6598, 3927, 1122, 2544; RFC 4193, 4291.
reserved_v4 := [
	"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8", "198.18.0.0/15",
]

reserved_v6 := ["fc00::/7", "fe80::/10", "::1/128"]

# How many bits of a block are fixed.
bits(block) := to_number(substring(block, indexof(block, "/") + 1, -1)) if net.cidr_is_valid(block)

# The block is public and wider than /v4 (or /v6): as good as the whole internet, halves of it included.
internet(block, v4, _) if {
	indexof(block, ":") == -1
	bits(block) < v4
	count([holder | some holder in reserved_v4; net.cidr_contains(holder, block)]) == 0
}

internet(block, _, v6) if {
	indexof(block, ":") >= 0
	bits(block) < v6
	count([holder | some holder in reserved_v6; net.cidr_contains(holder, block)]) == 0
}

# The blocks of a list that hold the whole of a block.
holders(block, blocks) := [holder |
	net.cidr_is_valid(block)
	some holder in blocks
	net.cidr_is_valid(holder)
	net.cidr_contains(holder, block)
]
