package policies.transit.vpn_strong_test

import data.policies.transit.vpn_strong
import rego.v1

params := {"transit.vpn_strong": {
	"ike_versions": ["ikev2"], "encryption": ["AES256", "AES256-GCM-16"], "integrity": ["SHA2-256"], "least_group": 14,
}}

tunnel := {"name": "1", "ike_versions": ["ikev2"], "encryption": ["AES256-GCM-16"], "integrity": ["SHA2-256"], "dh_groups": [20]}

world(changes) := {"params": params, "resources": {"link": [{"id": "vpn", "link_type": "vpn", "tunnels": [tunnel, object.union(tunnel, changes)]}]}}

messages contains failure.message if some failure in vpn_strong.fail

test_fails if {
	vpn_strong.fail == {{
		"id": "vpn", "fact": "tunnels", "expected": ["ikev2"], "actual": ["ikev1"],
		"message": "tunnel 2 accepts ikev1",
	}} with input as world({"name": "2", "ike_versions": ["ikev1", "ikev2"]})
}

test_every_list_counts if {
	messages == {"tunnel 2 accepts AES128", "tunnel 2 accepts SHA1, SHA2-512", "tunnel 2 accepts Diffie-Hellman group 2, 5"} with input as world({
		"name": "2", "encryption": ["AES128", "AES256"], "integrity": ["SHA2-512", "SHA1"], "dh_groups": [2, 5, 14],
	})
}

test_passes if {
	vpn_strong.scope == {"vpn"} with input as world({})
	vpn_strong.fail == set() with input as world({})
}

test_out_of_scope if {
	other := {"params": params, "resources": {"link": [{"id": "pcx", "link_type": "peering", "tunnels": [object.union(tunnel, {"dh_groups": [2]})]}]}}
	vpn_strong.scope == set() with input as other
	vpn_strong.fail == set() with input as other
}

test_blind_proves_nothing if {
	blind := {"params": params, "resources": {"link": [{"id": "vpn", "link_type": "vpn"}]}}
	vpn_strong.scope == {"vpn"} with input as blind
	vpn_strong.fail == set() with input as blind
}
