package policies.transit.link_macsec_up_test

import data.policies.transit.link_macsec_up
import rego.v1

link := {"id": "x", "state": "available", "macsec_capable": true, "encryption_up": true, "macsec_keys": 1, "bundle_id": ""}

world(changes) := {"resources": {"link": [object.union(link, changes)]}}

blind(facts) := {"resources": {"link": [object.remove(link, facts)]}}

test_fails if {
	link_macsec_up.fail == {
		{"id": "x", "fact": "encryption_up", "expected": true, "message": "MACsec is down"},
		{"id": "x", "fact": "macsec_keys", "expected": "at least 1", "message": "no MACsec key is associated"},
	} with input as world({"encryption_up": false, "macsec_keys": 0})
}

test_passes if {
	link_macsec_up.scope == {"x"} with input as world({})
	link_macsec_up.fail == set() with input as world({})
}

test_a_member_has_the_keys_of_its_bundle if {
	link_macsec_up.scope == {"x"} with input as world({"macsec_keys": 0, "bundle_id": "lag"})
	link_macsec_up.fail == set() with input as world({"macsec_keys": 0, "bundle_id": "lag"})
}

test_out_of_scope if {
	every change in [{"state": "down"}, {"macsec_capable": false}] {
		link_macsec_up.scope == set() with input as world(change)
		link_macsec_up.fail == set() with input as world(object.union(change, {"encryption_up": false}))
	}
}

test_blind_proves_nothing if {
	link_macsec_up.scope == {"x"} with input as blind(["encryption_up", "macsec_keys"])
	link_macsec_up.fail == set() with input as blind(["encryption_up", "macsec_keys"])
	link_macsec_up.fail == set() with input as {"resources": {"link": [object.remove(object.union(link, {"macsec_keys": 0}), ["bundle_id"])]}}
	link_macsec_up.scope == set() with input as blind(["state"])
	link_macsec_up.scope == set() with input as blind(["macsec_capable"])
}
