package policies.transit.link_macsec_required_test

import data.policies.transit.link_macsec_required
import rego.v1

link := {
	"id": "x", "state": "available", "link_type": "circuit", "bundle_id": "", "macsec_capable": true,
	"encryption_mode": "must_encrypt",
}

world(changes) := {"resources": {"link": [object.union(link, changes)]}}

blind(facts) := {"resources": {"link": [object.remove(link, facts)]}}

test_mode_fails if {
	link_macsec_required.fail == {{
		"id": "x", "fact": "encryption_mode", "expected": "must_encrypt",
		"message": "falls back to clear text where MACsec is down (should_encrypt)",
	}} with input as world({"encryption_mode": "should_encrypt"})
	link_macsec_required.fail == {{
		"id": "x", "fact": "encryption_mode", "expected": "must_encrypt",
		"message": "does not encrypt (no_encrypt)",
	}} with input as world({"encryption_mode": "no_encrypt", "link_type": "bundle"})
	link_macsec_required.fail == {{
		"id": "x", "fact": "encryption_mode", "expected": "must_encrypt",
		"message": "has no MACsec mode",
	}} with input as world({"encryption_mode": "unknown"})
}

test_incapable_fails if {
	link_macsec_required.fail == {{
		"id": "x", "fact": "macsec_capable", "expected": true,
		"message": "the port cannot encrypt: it is not MACsec-capable",
	}} with input as world({"macsec_capable": false, "encryption_mode": "no_encrypt"})
}

test_passes if {
	every type in ["circuit", "bundle"] {
		link_macsec_required.scope == {"x"} with input as world({"link_type": type})
		link_macsec_required.fail == set() with input as world({"link_type": type})
	}
}

test_out_of_scope if {
	every change in [{"state": "deleted"}, {"state": "requested"}, {"bundle_id": "lag"}] {
		link_macsec_required.scope == set() with input as world(change)
		link_macsec_required.fail == set() with input as world(object.union(change, {"encryption_mode": "no_encrypt"}))
	}
}

test_blind_proves_nothing if {
	link_macsec_required.scope == {"x"} with input as blind(["macsec_capable", "encryption_mode"])
	link_macsec_required.fail == set() with input as blind(["macsec_capable", "encryption_mode"])
	every fact in ["state", "link_type", "bundle_id"] {
		link_macsec_required.scope == set() with input as blind([fact])
	}
}
