package policies.network.k8s_metadata_blocked_test

import data.policies.network.k8s_metadata_blocked
import rego.v1

workload := {"id": "w", "finished": false, "operator": "", "metadata_reachable": false}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_reachable_fails if {
	k8s_metadata_blocked.fail == {
		{"id": "w", "fact": "metadata_reachable", "expected": false, "message": "its pods may open connections to 169.254.169.254"},
	} with input as world({"metadata_reachable": true})
}

test_sound_passes if {
	k8s_metadata_blocked.fail == set() with input as world({})
	k8s_metadata_blocked.scope == {"w"} with input as world({})
}

test_finished_is_out_of_scope if {
	k8s_metadata_blocked.scope == set() with input as world({"finished": true})
	k8s_metadata_blocked.fail == set() with input as world({"finished": true, "ingress_isolated": false, "egress_isolated": false, "metadata_reachable": true})
}

test_other_kinds_are_out_of_scope if {
	k8s_metadata_blocked.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_metadata_blocked.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	k8s_metadata_blocked.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "metadata_reachable": true})
	k8s_metadata_blocked.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "metadata_reachable": true})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["metadata_reachable"])]}}
	k8s_metadata_blocked.fail == set() with input as blind
}
