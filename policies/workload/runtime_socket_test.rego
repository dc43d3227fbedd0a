package policies.workload.runtime_socket_test

import data.policies.workload.runtime_socket
import rego.v1

workload := {"id": "w", "operator": "", "host_paths": []}

world(changes) := {"params": {"workload.runtime_socket": {"sockets": ["/run/docker.sock", "/run/containerd/containerd.sock", "/run/crio/crio.sock", "/run/k3s/containerd/containerd.sock", "/run/cri-dockerd.sock", "/run/podman/podman.sock"]}}, "resources": {"workload": [object.union(workload, changes)]}}

test_docker_fails if {
	runtime_socket.fail == {
		{"id": "w", "fact": "host_paths", "expected": "no path to a runtime socket", "actual": "/var/run/docker.sock", "message": "mounts /var/run/docker.sock of the host, which gives /run/docker.sock"},
	} with input as world({"host_paths": [{"path": "/var/run/docker.sock", "read_only": true, "volume": "v"}]})
}

test_parent_fails if {
	runtime_socket.fail == {
		{"id": "w", "fact": "host_paths", "expected": "no path to a runtime socket", "actual": "/var/run/crio", "message": "mounts /var/run/crio of the host, which gives /run/crio/crio.sock"},
	} with input as world({"host_paths": [{"path": "/var/run/crio", "read_only": false, "volume": "v"}]})
}

test_everything_fails if {
	runtime_socket.fail == {
		{"id": "w", "fact": "host_paths", "expected": "no path to a runtime socket", "actual": "/run/k3s", "message": "mounts /run/k3s of the host, which gives /run/k3s/containerd/containerd.sock"},
	} with input as world({"host_paths": [{"path": "/run/k3s", "read_only": false, "volume": "v"}]})
}

test_sound_passes if {
	runtime_socket.fail == set() with input as world({})
	runtime_socket.scope == {"w"} with input as world({})
}

test_other_path_passes if {
	runtime_socket.fail == set() with input as world({"host_paths": [{"path": "/var/run/nvidia", "read_only": false, "volume": "t"}, {"path": "/var/runtime", "read_only": false, "volume": "v"}, {"path": "/run/containerdx", "read_only": false, "volume": "u"}]})
	runtime_socket.scope == {"w"} with input as world({"host_paths": [{"path": "/var/run/nvidia", "read_only": false, "volume": "t"}, {"path": "/var/runtime", "read_only": false, "volume": "v"}, {"path": "/run/containerdx", "read_only": false, "volume": "u"}]})
}

test_other_kinds_are_out_of_scope if {
	runtime_socket.scope == set() with input as {"resources": {"other": [workload]}}
	runtime_socket.fail == set() with input as {"resources": {"other": [workload]}}
}

test_operator_is_exempt if {
	runtime_socket.exempt == {{"id": "w", "reason": "NVIDIA GPU Operator owns it and needs it"}} with input as world({"operator": "NVIDIA GPU Operator", "host_paths": [{"path": "/", "read_only": false, "volume": "v"}]})
	runtime_socket.fail == set() with input as world({"operator": "NVIDIA GPU Operator", "host_paths": [{"path": "/", "read_only": false, "volume": "v"}]})
}

test_blind_proves_nothing if {
	blind := {"params": {"workload.runtime_socket": {"sockets": ["/run/docker.sock", "/run/containerd/containerd.sock", "/run/crio/crio.sock", "/run/k3s/containerd/containerd.sock", "/run/cri-dockerd.sock", "/run/podman/podman.sock"]}}, "resources": {"workload": [object.remove(workload, ["host_paths"])]}}
	runtime_socket.fail == set() with input as blind
}
