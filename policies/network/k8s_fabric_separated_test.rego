package policies.network.k8s_fabric_separated_test

import data.policies.network.k8s_fabric_separated
import rego.v1

thing := {
	"id": "n", "fabric": true, "made_from": "", "master": "",
	"joined_by": [], "joined_by_settled": true, "interface_settled": true,
}

world(changes) := {"resources": {"fabric_network": [object.union(thing, changes)]}}

ways := [
	{"how": "default_route", "what": "n"}, {"how": "interface", "what": "macvlan"},
	{"how": "open", "what": ""}, {"how": "untagged", "what": "a, b"},
]

bad := object.union(thing, {"joined_by": ways})

test_joined_fails if {
	found := ways
	k8s_fabric_separated.fail == {
		{
			"id": "n", "fact": "joined_by", "expected": [], "actual": [found[0]],
			"message": "it gives pods a default route", "tag": "default_route n",
		},
		{
			"id": "n", "fact": "joined_by", "expected": [], "actual": [found[1]],
			"message": "it is on the interface of the node that has the default route, as no master is named", "tag": "interface macvlan",
		},
		{
			"id": "n", "fact": "joined_by", "expected": [], "actual": [found[2]],
			"message": "it lies in the namespace default, where everybody may attach to it", "tag": "open ",
		},
		{
			"id": "n", "fact": "joined_by", "expected": [], "actual": [found[3]],
			"message": "several tenants use it without a VLAN or partition", "tag": "untagged a, b",
		},
	} with input as world({"joined_by": found})
}

test_sound_passes if {
	k8s_fabric_separated.fail == set() with input as world({})
	k8s_fabric_separated.scope == {"n"} with input as world({})
}

test_of_no_fabric_or_judged_elsewhere_is_out_of_scope if {
	k8s_fabric_separated.scope == set() with input as world({"fabric": false})
	k8s_fabric_separated.scope == set() with input as world({"made_from": "m"})
	k8s_fabric_separated.fail == set() with input as world({"fabric": false, "joined_by": ways})
}

named(changes) := object.union(world(changes), {"params": {"network.k8s_fabric_separated": {"fabric_interfaces": ["ens2f0"]}}})

test_an_interface_that_is_named_is_safe if {
	k8s_fabric_separated.safe == {"n"} with input as named({"master": "ens2f0"})
	k8s_fabric_separated.safe == set() with input as named({"master": "eth0"})
	k8s_fabric_separated.safe == set() with input as named({"master": "ens2f0", "joined_by": ways})
	k8s_fabric_separated.safe == set() with input as named({"master": "ens2f0", "joined_by_settled": false})
	k8s_fabric_separated.safe == set() with input as world({"master": "ens2f0"})
}

test_other_kinds_are_out_of_scope if {
	k8s_fabric_separated.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_fabric_separated.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["fabric", "made_from", "joined_by"] {
		blind := {"resources": {"fabric_network": [object.remove(bad, [fact])]}}
		k8s_fabric_separated.fail == set() with input as blind
	}
}
