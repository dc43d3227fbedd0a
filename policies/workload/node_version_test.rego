package policies.workload.node_version_test

import data.policies.workload.node_version
import rego.v1

base := {"id": "x", "serverless": false, "support_ends": "2027-06-28T23:59:59Z", "support_as_of": "2026-11-30", "kubelet_behind": 0, "kubelet_version": "v1.36.1", "runtime_below_floor": false, "runtime_version": "containerd://2.2.5", "runtime_floor": "2.2.5"}

world(changes) := {"resources": {"node": [object.union(base, changes)]}, "now": "2026-11-30T00:00:00Z"}

test_ended_fails if {
	found := {{"id": "x", "fact": "support_ends", "expected": "a supported version", "message": "support of v1.33.2 ended 154 days ago (data of 2026-11-30)"}}
	node_version.fail == found with input as world({"support_ends": "2026-06-28T23:59:59Z", "kubelet_version": "v1.33.2"})
	node_version.scope == {"x"} with input as world({"support_ends": "2026-06-28T23:59:59Z", "kubelet_version": "v1.33.2"})
}

test_ended_by_old_data_fails if {
	found := {{"id": "x", "fact": "support_ends", "expected": "a supported version", "message": "support of v1.33.2 ended 154 days ago (data of 2026-01-31, which is more than half a year old)"}}
	node_version.fail == found with input as world({"support_ends": "2026-06-28T23:59:59Z", "support_as_of": "2026-01-31", "kubelet_version": "v1.33.2"})
	node_version.scope == {"x"} with input as world({"support_ends": "2026-06-28T23:59:59Z", "support_as_of": "2026-01-31", "kubelet_version": "v1.33.2"})
}

test_behind_fails if {
	found := {{"id": "x", "fact": "kubelet_behind", "expected": "at most 3", "message": "its kubelet is 4 minor versions older than the API server"}}
	node_version.fail == found with input as world({"kubelet_behind": 4})
	node_version.scope == {"x"} with input as world({"kubelet_behind": 4})
}

test_ahead_fails if {
	found := {{"id": "x", "fact": "kubelet_behind", "expected": "at least 0", "message": "its kubelet is newer than the API server"}}
	node_version.fail == found with input as world({"kubelet_behind": -1})
	node_version.scope == {"x"} with input as world({"kubelet_behind": -1})
}

test_holes_fails if {
	found := {{"id": "x", "fact": "runtime_below_floor", "expected": "2.2.5", "message": "containerd://2.2.1 has known holes (data of 2026-11-30)", "actual": "containerd://2.2.1"}}
	node_version.fail == found with input as world({"runtime_below_floor": true, "runtime_version": "containerd://2.2.1"})
	node_version.scope == {"x"} with input as world({"runtime_below_floor": true, "runtime_version": "containerd://2.2.1"})
}

test_sound_passes if {
	node_version.fail == set() with input as world({})
	node_version.scope == {"x"} with input as world({})
}

test_three_behind_passes if {
	node_version.fail == set() with input as world({"kubelet_behind": 3})
	node_version.scope == {"x"} with input as world({"kubelet_behind": 3})
}

test_unseen_scope_is_out_of_scope if {
	node_version.fail == set() with input as world({"serverless": null})
	node_version.scope == set() with input as world({"serverless": null})
}

test_serverless_is_exempt if {
	reasons := {{"id": "x", "reason": "the provider runs the node alone"}}
	node_version.exempt == reasons with input as world({"serverless": true})
	node_version.fail == set() with input as world({"serverless": true})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"support_ends": "2026-06-28T23:59:59Z", "kubelet_version": "v1.33.2", "support_as_of": "2026-01-31", "kubelet_behind": -1, "runtime_below_floor": true, "runtime_version": "containerd://2.2.1"})
	blind := {"resources": {"node": [object.remove(bad, ["support_ends", "support_as_of", "kubelet_behind", "kubelet_version", "runtime_below_floor", "runtime_version", "runtime_floor"])]}, "now": "2026-11-30T00:00:00Z"}
	node_version.fail == set() with input as blind
}
