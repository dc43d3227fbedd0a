package policies.workload.ipc_lock_without_rdma_test

import data.policies.workload.ipc_lock_without_rdma
import rego.v1

container := {"name": "main", "type": "container", "cap_add": ["IPC_LOCK"], "rdma": true, "claims": false}

workload := {"id": "w", "operator": "", "rdma": true, "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_lone_fails if {
	ipc_lock_without_rdma.fail == {
		{"id": "w", "fact": "containers", "expected": "an RDMA device", "message": "container b adds IPC_LOCK and asks for no RDMA device"},
	} with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": false, "name": "b"})
}

test_init_fails if {
	ipc_lock_without_rdma.fail == {
		{"id": "w", "fact": "containers", "expected": "an RDMA device", "message": "init container setup adds IPC_LOCK and asks for no RDMA device"},
	} with input as world({"rdma": false, "containers": [{"name": "setup", "type": "init", "rdma": false, "claims": false, "cap_add": ["IPC_LOCK"]}]})
}

test_sound_passes if {
	ipc_lock_without_rdma.fail == set() with input as world({})
	ipc_lock_without_rdma.scope == {"w"} with input as world({})
}

test_other_container_passes if {
	ipc_lock_without_rdma.fail == set() with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": true})
	ipc_lock_without_rdma.scope == {"w"} with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": true})
}

test_claim_passes if {
	ipc_lock_without_rdma.fail == set() with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": false, "claims": true})
	ipc_lock_without_rdma.scope == {"w"} with input as with_container({"cap_add": ["IPC_LOCK"], "rdma": false, "claims": true})
}

test_init_of_rdma_pod_passes if {
	ipc_lock_without_rdma.fail == set() with input as with_container({"cap_add": ["IPC_LOCK"], "type": "init", "name": "setup"})
	ipc_lock_without_rdma.scope == {"w"} with input as with_container({"cap_add": ["IPC_LOCK"], "type": "init", "name": "setup"})
}

test_out_of_scope if {
	every change in [{"containers": [{"name": "main", "type": "container", "cap_add": [], "rdma": false, "claims": false}]}] {
		ipc_lock_without_rdma.scope == set() with input as world(change)
		ipc_lock_without_rdma.fail == set() with input as world(change)
	}
}

test_operator_is_exempt if {
	ipc_lock_without_rdma.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "rdma": false, "claims": false, "cap_add": ["IPC_LOCK"]}]})
	ipc_lock_without_rdma.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "rdma": false, "claims": false, "cap_add": ["IPC_LOCK"]}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	ipc_lock_without_rdma.fail == set() with input as blind
}
