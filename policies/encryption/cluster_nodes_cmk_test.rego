package policies.encryption.cluster_nodes_cmk_test

import data.policies.encryption.cluster_nodes_cmk
import rego.v1

service := {"id": "c", "service_type": "cluster", "groups_without_cmk": []}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_fails if {
	cluster_nodes_cmk.fail == {
		{
			"id": "c", "fact": "groups_without_cmk", "expected": [], "tag": "login/root", "actual": ["login/root"],
			"message": "no customer-managed key encrypts the volume login/root",
		},
		{
			"id": "c", "fact": "groups_without_cmk", "expected": [], "tag": "login/volume", "actual": ["login/volume"],
			"message": "no customer-managed key encrypts the volume login/volume",
		},
	} with input as world({"groups_without_cmk": ["login/root", "login/volume"]})
}

test_passes if {
	cluster_nodes_cmk.fail == set() with input as world({})
	cluster_nodes_cmk.scope == {"c"} with input as world({})
}

test_out_of_scope if {
	cluster_nodes_cmk.scope == set() with input as world({"service_type": "notebook"})
	cluster_nodes_cmk.fail == set() with input as world({"service_type": "notebook", "groups_without_cmk": ["a/root"]})
}

test_blind_proves_nothing if {
	cluster_nodes_cmk.fail == set() with input as blind({}, ["groups_without_cmk"])
	cluster_nodes_cmk.fail == set() with input as blind({"groups_without_cmk": ["a/root"]}, ["service_type"])
}
