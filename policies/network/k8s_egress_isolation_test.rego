package policies.network.k8s_egress_isolation_test

import data.policies.network.k8s_egress_isolation
import rego.v1

workload := {"id": "w", "finished": false, "egress_isolated": true, "egress_open_by": []}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_unselected_fails if {
	k8s_egress_isolation.fail == {
		{"id": "w", "fact": "egress_isolated", "expected": true, "message": "no network policy selects its pods for egress"},
	} with input as world({"egress_isolated": false})
}

test_admit_all_fails if {
	k8s_egress_isolation.fail == {
		{"id": "w", "fact": "egress_open_by", "expected": [], "message": "the network policy allow admits every destination on every port"},
	} with input as world({"egress_open_by": ["allow"]})
}

test_sound_passes if {
	k8s_egress_isolation.fail == set() with input as world({})
	k8s_egress_isolation.scope == {"w"} with input as world({})
}

test_finished_is_out_of_scope if {
	k8s_egress_isolation.scope == set() with input as world({"finished": true})
	k8s_egress_isolation.fail == set() with input as world({"finished": true, "ingress_isolated": false, "egress_isolated": false, "metadata_reachable": true})
}

test_other_kinds_are_out_of_scope if {
	k8s_egress_isolation.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_egress_isolation.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["egress_isolated", "egress_open_by"])]}}
	k8s_egress_isolation.fail == set() with input as blind
}
