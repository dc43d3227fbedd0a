package policies.network.k8s_fabric_tenants_test

import data.policies.network.k8s_fabric_tenants
import rego.v1

thing := {
	"id": "n", "fabric": true, "made_from": "", "several_tenants": true,
	"unseparated": [], "unseparated_settled": true,
}

world(changes) := {"resources": {"fabric_network": [object.union(thing, changes)]}}

bad := object.union(thing, {"unseparated": ["a", "b"]})

test_shared_fails if {
	k8s_fabric_tenants.fail == {{
		"id": "n", "fact": "unseparated", "expected": [], "actual": ["a", "b"],
		"message": "nothing keeps its tenants apart: a, b",
	}} with input as world({"unseparated": ["a", "b"]})
}

test_sound_passes if {
	k8s_fabric_tenants.fail == set() with input as world({})
	k8s_fabric_tenants.scope == {"n"} with input as world({})
}

test_one_tenant_and_other_networks_are_out_of_scope if {
	k8s_fabric_tenants.scope == set() with input as world({"several_tenants": false})
	k8s_fabric_tenants.scope == set() with input as world({"fabric": false})
	k8s_fabric_tenants.scope == set() with input as world({"made_from": "m"})
}

test_other_kinds_are_out_of_scope if {
	k8s_fabric_tenants.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_fabric_tenants.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["fabric", "made_from", "several_tenants", "unseparated"] {
		blind := {"resources": {"fabric_network": [object.remove(bad, [fact])]}}
		k8s_fabric_tenants.fail == set() with input as blind
	}
}
