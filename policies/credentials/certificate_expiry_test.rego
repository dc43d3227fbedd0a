package policies.credentials.certificate_expiry_test

import data.policies.credentials.certificate_expiry
import rego.v1

certificate := {
	"id": "c", "native_type": "AWS::CertificateManager::Certificate", "credential_type": "certificate", "in_use": true,
	"expires": "2027-06-01T00:00:00Z", "renewal": "manual",
}

params := {"credentials.certificate_expiry": {"min_days": 30}}

now := "2026-11-30T00:00:00Z"

world(changes) := {"now": now, "params": params, "resources": {"credential": [object.union(certificate, changes)]}}

blind(changes, facts) := {
	"now": now, "params": params,
	"resources": {"credential": [object.remove(object.union(certificate, changes), facts)]},
}

soon := {"expires": "2026-12-10T00:00:00Z"}

past := {"expires": "2026-11-20T00:00:00Z"}

server := {"native_type": "AWS::IAM::ServerCertificate"}

expired := {
	"id": "c", "fact": "expires", "expected": "still to come",
	"message": "it expired 10 days ago",
}

test_fails_where_nobody_renews_it if {
	every renewal, reason in {
		"manual": "nobody renews it but by hand", "waiting": "its renewal waits for the name to be proven",
		"failed": "its renewal has failed",
	} {
		certificate_expiry.fail == {{
			"id": "c", "fact": "expires", "expected": "in 30 days or later",
			"message": sprintf("it expires in 10 days, and %s", [reason]),
		}} with input as world(object.union(soon, {"renewal": renewal}))
	}
}

test_fails_once_expired if {
	certificate_expiry.fail == {expired} with input as world(past)
	certificate_expiry.fail == {expired} with input as world(object.union(past, {"renewal": "automatic"}))
	certificate_expiry.fail == {expired} with input as blind(object.union(past, server), ["in_use"])
}

test_passes if {
	every change in [{}, object.union(soon, {"renewal": "automatic"})] {
		certificate_expiry.scope == {"c"} with input as world(change)
		certificate_expiry.fail == set() with input as world(change)
	}
	certificate_expiry.scope == {"c"} with input as blind(object.union(soon, server), ["in_use"])
	certificate_expiry.fail == set() with input as blind(object.union(soon, server), ["in_use"])
}

test_out_of_scope if {
	every change in [{"in_use": false}, {"credential_type": "secret"}] {
		certificate_expiry.scope == set() with input as world(object.union(past, change))
		certificate_expiry.fail == set() with input as world(object.union(past, change))
		certificate_expiry.safe == set() with input as world(change)
	}
}

test_a_long_life_is_safe_where_renewal_is_blind if {
	certificate_expiry.safe == {"c"} with input as blind({}, ["renewal"])
	certificate_expiry.safe == set() with input as blind(soon, ["renewal"])
}

test_blind_proves_nothing if {
	every fact in ["expires", "credential_type", "in_use"] {
		certificate_expiry.fail == set() with input as blind(soon, [fact])
	}
	certificate_expiry.fail == set() with input as blind(soon, ["renewal"])
}
