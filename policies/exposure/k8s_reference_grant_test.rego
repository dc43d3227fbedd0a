package policies.exposure.k8s_reference_grant_test

import data.policies.exposure.k8s_reference_grant
import rego.v1

thing := {"id": "r", "endpoint_type": "reference_grant", "foreign_readers": [], "foreign_readers_settled": true}

world(changes) := {"resources": {"endpoint": [object.union(thing, changes)]}}

readers := [{"namespace": "red", "tenant": "red team"}, {"namespace": "blue", "tenant": "blue team"}]

bad := object.union(thing, {"foreign_readers": readers})

test_other_tenants_fail if {
	found := readers
	k8s_reference_grant.fail == {
		{
			"id": "r", "fact": "foreign_readers", "expected": [], "actual": [found[0]],
			"message": "it lets red of tenant red team use every Secret here", "tag": "red",
		},
		{
			"id": "r", "fact": "foreign_readers", "expected": [], "actual": [found[1]],
			"message": "it lets blue of tenant blue team use every Secret here", "tag": "blue",
		},
	} with input as world({"foreign_readers": found})
}

test_sound_passes if {
	k8s_reference_grant.fail == set() with input as world({})
	k8s_reference_grant.scope == {"r"} with input as world({})
}

test_gateways_are_out_of_scope if {
	k8s_reference_grant.scope == set() with input as world({"endpoint_type": "gateway"})
}

test_other_kinds_are_out_of_scope if {
	k8s_reference_grant.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_reference_grant.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["endpoint_type", "foreign_readers"] {
		blind := {"resources": {"endpoint": [object.remove(bad, [fact])]}}
		k8s_reference_grant.fail == set() with input as blind
	}
}
