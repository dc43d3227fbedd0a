package policies.network.transit_auto_accept_test

import data.policies.network.transit_auto_accept
import rego.v1

gateway := {"id": "tgw", "gateway_type": "transit", "auto_accept": false, "domains_known": true}

world(changes) := {"resources": {"gateway": [object.union(gateway, changes)]}}

test_fails if {
	transit_auto_accept.fail == {{
		"id": "tgw", "fact": "auto_accept", "expected": false,
		"message": "accepts attachments of other accounts unasked",
	}} with input as world({"auto_accept": true})
}

test_passes if {
	transit_auto_accept.scope == {"tgw"} with input as world({})
	transit_auto_accept.fail == set() with input as world({})
}

test_out_of_scope if {
	transit_auto_accept.scope == set() with input as world({"gateway_type": "internet", "auto_accept": true})
	transit_auto_accept.fail == set() with input as world({"gateway_type": "internet", "auto_accept": true})
}

test_blind_proves_nothing if {
	blind := {"resources": {"gateway": [{"id": "tgw", "gateway_type": "transit"}]}}
	transit_auto_accept.fail == set() with input as blind
	transit_auto_accept.seen == set() with input as blind
	transit_auto_accept.seen == {"tgw"} with input as world({})
}
