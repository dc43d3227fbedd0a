package policies.network.k8s_ingress_isolation_test

import data.policies.network.k8s_ingress_isolation
import rego.v1

workload := {"id": "w", "finished": false, "ingress_isolated": true, "ingress_open_by": []}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_unselected_fails if {
	k8s_ingress_isolation.fail == {
		{"id": "w", "fact": "ingress_isolated", "expected": true, "message": "no network policy selects its pods for ingress"},
	} with input as world({"ingress_isolated": false})
}

test_admit_all_fails if {
	k8s_ingress_isolation.fail == {
		{"id": "w", "fact": "ingress_open_by", "expected": [], "message": "the network policy allow admits every source on every port"},
	} with input as world({"ingress_open_by": ["allow"]})
}

test_sound_passes if {
	k8s_ingress_isolation.fail == set() with input as world({})
	k8s_ingress_isolation.scope == {"w"} with input as world({})
}

test_finished_is_out_of_scope if {
	k8s_ingress_isolation.scope == set() with input as world({"finished": true})
	k8s_ingress_isolation.fail == set() with input as world({"finished": true, "ingress_isolated": false, "egress_isolated": false, "metadata_reachable": true})
}

test_other_kinds_are_out_of_scope if {
	k8s_ingress_isolation.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_ingress_isolation.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["ingress_isolated", "ingress_open_by"])]}}
	k8s_ingress_isolation.fail == set() with input as blind
}
