package policies.workload.unsafe_settings_test

import data.policies.workload.unsafe_settings
import rego.v1

container := {"name": "main", "type": "container", "proc_mount": "Default", "apparmor": "", "selinux_type": "", "selinux_user": "", "selinux_role": ""}

workload := {"id": "w", "operator": "", "sysctls": ["net.ipv4.tcp_keepalive_time"], "host_users": true, "containers": [container]}

world(changes) := {"params": {"workload.unsafe_settings": {"sysctls": ["kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem", "net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat"], "selinux_types": ["container_t", "container_init_t", "container_kvm_t", "container_engine_t"]}}, "resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_proc_fails if {
	unsafe_settings.fail == {
		{"id": "w", "fact": "containers", "expected": "Default", "actual": {"container": "b", "proc_mount": "Unmasked"}, "message": "container b mounts /proc as Unmasked"},
	} with input as with_container({"proc_mount": "Unmasked", "name": "b"})
}

test_apparmor_fails if {
	unsafe_settings.fail == {
		{"id": "w", "fact": "containers", "expected": "an AppArmor profile", "actual": {"container": "b", "apparmor": "Unconfined"}, "message": "container b runs without AppArmor (Unconfined)"},
	} with input as with_container({"apparmor": "Unconfined", "name": "b"})
}

test_selinux_type_fails if {
	unsafe_settings.fail == {
		{"id": "w", "fact": "containers", "expected": "a type for containers", "actual": {"container": "b", "selinux_type": "spc_t"}, "message": "container b has the SELinux type spc_t"},
	} with input as with_container({"selinux_type": "spc_t", "name": "b"})
}

test_selinux_user_fails if {
	unsafe_settings.fail == {
		{"id": "w", "fact": "containers", "expected": "no SELinux user or role", "actual": {"container": "b", "selinux_user_or_role": "sysadm_u"}, "message": "container b sets the SELinux user or role sysadm_u"},
	} with input as with_container({"selinux_user": "sysadm_u", "name": "b"})
}

test_sysctl_fails if {
	unsafe_settings.fail == {
		{"id": "w", "fact": "sysctls", "expected": "settings of the safe list", "actual": "kernel.msgmax", "message": "sets the kernel's kernel.msgmax"},
	} with input as world({"sysctls": ["kernel.msgmax"]})
}

test_sound_passes if {
	unsafe_settings.fail == set() with input as world({})
	unsafe_settings.scope == {"w"} with input as world({})
}

test_container_type_passes if {
	unsafe_settings.fail == set() with input as with_container({"selinux_type": "container_engine_t", "apparmor": "Localhost"})
	unsafe_settings.scope == {"w"} with input as with_container({"selinux_type": "container_engine_t", "apparmor": "Localhost"})
}

test_unmasked_in_own_user_namespace_passes if {
	unsafe_settings.fail == set() with input as world({"host_users": false, "containers": [{"name": "main", "type": "container", "apparmor": "", "selinux_type": "", "selinux_user": "", "selinux_role": "", "proc_mount": "Unmasked"}]})
	unsafe_settings.scope == {"w"} with input as world({"host_users": false, "containers": [{"name": "main", "type": "container", "apparmor": "", "selinux_type": "", "selinux_user": "", "selinux_role": "", "proc_mount": "Unmasked"}]})
}

test_other_kinds_are_out_of_scope if {
	unsafe_settings.scope == set() with input as {"resources": {"other": [workload]}}
	unsafe_settings.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	unsafe_settings.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "sysctls": ["kernel.msgmax"]})
	unsafe_settings.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "sysctls": ["kernel.msgmax"]})
}

test_blind_proves_nothing if {
	blind := {"params": {"workload.unsafe_settings": {"sysctls": ["kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem", "net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat"], "selinux_types": ["container_t", "container_init_t", "container_kvm_t", "container_engine_t"]}}, "resources": {"workload": [object.remove(workload, ["containers", "sysctls", "host_users"])]}}
	unsafe_settings.fail == set() with input as blind
}

test_ulimits_fail if {
	what := {{"id": "w", "fact": "pod_settings", "expected": "no ulimits", "actual": {"container": "odd", "ulimits": true}, "message": "container odd sets ulimits"}}
	unsafe_settings.fail == what with input as world({"pod_settings": {"ulimits": ["odd"]}})
	unsafe_settings.fail == set() with input as world({"pod_settings": {"ulimits": []}})
}
