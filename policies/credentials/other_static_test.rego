package policies.credentials.other_static_test

import data.policies.credentials.other_static
import rego.v1

key := {"id": "k", "credential_type": "ssh_key", "service": "codecommit.amazonaws.com", "active": false, "valid_days": 0}

bedrock := {"credential_type": "service_specific", "service": "bedrock.amazonaws.com"}

world(changes) := {"resources": {"credential": [object.union(key, changes)]}}

blind(changes, facts) := {"resources": {"credential": [object.remove(object.union(key, changes), facts)]}}

failure(service) := {{"id": "k", "fact": "active", "expected": false, "message": sprintf("a static credential for %s works", [service])}}

test_fails if {
	other_static.fail == failure("codecommit.amazonaws.com") with input as world({"active": true})
	other_static.fail == failure("cassandra.amazonaws.com") with input as world({
		"credential_type": "service_specific",
		"service": "cassandra.amazonaws.com",
		"active": true,
	})
	other_static.fail == failure("signing.amazonaws.com") with input as world({
		"credential_type": "signing_certificate",
		"service": "signing.amazonaws.com",
		"active": true,
	})
}

# Whatever credentials.bedrock_api_keys takes for long.
test_fails_a_key_of_bedrock_that_ends if {
	every days in [1, 30, 365] {
		other_static.fail == failure("bedrock.amazonaws.com") with input as world(object.union(bedrock, {"active": true, "valid_days": days}))
	}
}

test_passes if {
	other_static.scope == {"k"} with input as world({})
	other_static.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"credential_type": "access_key"}, object.union(bedrock, {"valid_days": 0})] {
		other_static.scope == set() with input as world(object.union(change, {"active": true}))
		other_static.fail == set() with input as world(object.union(change, {"active": true}))
	}
}

test_blind_proves_nothing if {
	other_static.scope == {"k"} with input as blind({}, ["active"])
	other_static.fail == set() with input as blind({}, ["active"])
	every fact in ["credential_type", "service"] {
		other_static.scope == set() with input as blind({"active": true}, [fact])
	}
	other_static.scope == set() with input as blind(object.union(bedrock, {"active": true}), ["valid_days"])
}
