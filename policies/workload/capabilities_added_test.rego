package policies.workload.capabilities_added_test

import data.policies.workload.capabilities_added
import rego.v1

container := {"name": "main", "type": "container", "cap_add": []}

workload := {"id": "w", "operator": "", "containers": [container]}

world(changes) := {"params": {"workload.capabilities_added": {"allowed": ["AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"]}}, "resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_sys_admin_fails if {
	capabilities_added.fail == {
		{"id": "w", "fact": "containers", "expected": "baseline capabilities only", "actual": {"container": "b", "cap_add": "SYS_ADMIN"}, "message": "container b adds SYS_ADMIN"},
		{"id": "w", "fact": "containers", "expected": "baseline capabilities only", "actual": {"container": "b", "cap_add": "NET_ADMIN"}, "message": "container b adds NET_ADMIN"},
	} with input as with_container({"cap_add": ["CHOWN", "SYS_ADMIN", "NET_ADMIN"], "name": "b"})
}

test_all_fails if {
	capabilities_added.fail == {
		{"id": "w", "fact": "containers", "expected": "baseline capabilities only", "actual": {"container": "debug", "cap_add": "ALL"}, "message": "ephemeral container debug adds ALL"},
	} with input as with_container({"cap_add": ["ALL"], "type": "ephemeral", "name": "debug"})
}

test_sound_passes if {
	capabilities_added.fail == set() with input as world({})
	capabilities_added.scope == {"w"} with input as world({})
}

test_baseline_and_rdma_passes if {
	capabilities_added.fail == set() with input as with_container({"cap_add": ["CHOWN", "IPC_LOCK"]})
	capabilities_added.scope == {"w"} with input as with_container({"cap_add": ["CHOWN", "IPC_LOCK"]})
}

test_other_kinds_are_out_of_scope if {
	capabilities_added.scope == set() with input as {"resources": {"other": [workload]}}
	capabilities_added.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	capabilities_added.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "cap_add": ["SYS_ADMIN"]}]})
	capabilities_added.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "containers": [{"name": "main", "type": "container", "cap_add": ["SYS_ADMIN"]}]})
}

test_blind_proves_nothing if {
	blind := {"params": {"workload.capabilities_added": {"allowed": ["AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"]}}, "resources": {"workload": [object.remove(workload, ["containers"])]}}
	capabilities_added.fail == set() with input as blind
}
