package policies.workload.capabilities_dropped_test

import data.policies.workload.capabilities_dropped
import rego.v1

container := {"name": "main", "type": "container", "cap_add": [], "cap_drop": ["ALL"], "rdma": false}

workload := {"id": "w", "operator": "", "os": "linux", "rdma_settled": true, "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_default_fails if {
	capabilities_dropped.fail == {
		{"id": "w", "fact": "containers", "expected": ["ALL"], "actual": {"container": "b", "cap_drop": []}, "message": "container b does not drop all capabilities"},
	} with input as with_container({"cap_drop": [], "name": "b"})
}

test_net_raw_only_fails if {
	capabilities_dropped.fail == {
		{"id": "w", "fact": "containers", "expected": ["ALL"], "actual": {"container": "setup", "cap_drop": ["NET_RAW"]}, "message": "init container setup does not drop all capabilities"},
	} with input as with_container({"cap_drop": ["NET_RAW"], "type": "init", "name": "setup"})
}

test_added_back_fails if {
	capabilities_dropped.fail == {
		{"id": "w", "fact": "containers", "expected": "NET_BIND_SERVICE at most", "actual": {"container": "b", "cap_add": "CHOWN"}, "message": "container b adds CHOWN back"},
	} with input as with_container({"cap_add": ["CHOWN"], "name": "b"})
}

test_sound_passes if {
	capabilities_dropped.fail == set() with input as world({})
	capabilities_dropped.scope == {"w"} with input as world({})
}

test_rdma_passes if {
	capabilities_dropped.fail == set() with input as with_container({"cap_add": ["IPC_LOCK", "NET_BIND_SERVICE"], "rdma": true})
	capabilities_dropped.scope == {"w"} with input as with_container({"cap_add": ["IPC_LOCK", "NET_BIND_SERVICE"], "rdma": true})
}

test_lock_without_rdma_fails if {
	capabilities_dropped.fail == {
		{"id": "w", "fact": "containers", "expected": "NET_BIND_SERVICE at most", "actual": {"container": "b", "cap_add": "IPC_LOCK"}, "message": "container b adds IPC_LOCK back"},
	} with input as with_container({"cap_add": ["IPC_LOCK"], "name": "b"})
}

test_lock_that_may_have_rdma_is_not_proven if {
	every container in [{"cap_add": ["IPC_LOCK"], "rdma": null}, {"cap_add": ["IPC_LOCK"], "rdma": null, "type": "init"}] {
		capabilities_dropped.fail == set() with input as with_container(container)
	}
}

test_out_of_scope if {
	every change in [{"os": "windows", "containers": [{"name": "main", "type": "container", "cap_add": [], "rdma": false, "cap_drop": []}]}] {
		capabilities_dropped.scope == set() with input as world(change)
		capabilities_dropped.fail == set() with input as world(change)
	}
}

test_operator_is_exempt if {
	capabilities_dropped.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "cap_add": [], "rdma": false, "cap_drop": []}]})
	capabilities_dropped.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "cap_add": [], "rdma": false, "cap_drop": []}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers", "rdma_settled"])]}}
	capabilities_dropped.fail == set() with input as blind
}
