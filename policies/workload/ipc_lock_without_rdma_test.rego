package policies.workload.ipc_lock_without_rdma_test

import data.policies.workload.ipc_lock_without_rdma
import rego.v1

container := {"name": "main", "type": "container", "cap_add": ["IPC_LOCK"], "rdma": true}

workload := {"id": "w", "operator": "", "rdma_settled": true, "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_lone_fails if {
	ipc_lock_without_rdma.fail == {
		{"id": "w", "fact": "containers", "expected": "an RDMA device", "actual": {"container": "b", "cap_add": "IPC_LOCK"}, "message": "container b adds IPC_LOCK and asks for no RDMA device"},
	} with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": false, "name": "b"})
}

test_init_fails if {
	ipc_lock_without_rdma.fail == {
		{"id": "w", "fact": "containers", "expected": "an RDMA device", "actual": {"container": "setup", "cap_add": "IPC_LOCK"}, "message": "init container setup adds IPC_LOCK and asks for no RDMA device"},
	} with input as world({"containers": [{"name": "setup", "type": "init", "rdma": false, "cap_add": ["IPC_LOCK"]}]})
}

test_sound_passes if {
	ipc_lock_without_rdma.fail == set() with input as world({})
	ipc_lock_without_rdma.scope == {"w"} with input as world({})
}

test_other_container_passes if {
	ipc_lock_without_rdma.fail == set() with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": true})
	ipc_lock_without_rdma.scope == {"w"} with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": true})
}

test_claim_is_not_proven if {
	ipc_lock_without_rdma.fail == set() with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": null})
	ipc_lock_without_rdma.scope == {"w"} with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": null})
}

test_init_of_rdma_pod_passes if {
	ipc_lock_without_rdma.fail == set() with input as with_container({"cap_add": ["IPC_LOCK"], "type": "init", "name": "setup"})
	ipc_lock_without_rdma.scope == {"w"} with input as with_container({"cap_add": ["IPC_LOCK"], "type": "init", "name": "setup"})
}

test_out_of_scope if {
	every change in [{"containers": [{"name": "main", "type": "container", "cap_add": [], "rdma": false}]}] {
		ipc_lock_without_rdma.scope == set() with input as world(change)
		ipc_lock_without_rdma.fail == set() with input as world(change)
	}
}

test_operator_is_exempt if {
	ipc_lock_without_rdma.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "rdma": false, "cap_add": ["IPC_LOCK"]}]})
	ipc_lock_without_rdma.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "rdma": false, "cap_add": ["IPC_LOCK"]}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers", "rdma_settled"])]}}
	ipc_lock_without_rdma.fail == set() with input as blind
}
