package policies.ai.triton_model_control_test

import data.policies.ai.triton_model_control
import rego.v1

workload := {"id": "w", "servers": [{"container": "main", "product": "triton", "version": "", "auth": "none", "listens": "all", "ports": [8000], "model_control": "none", "open_protocols": ["http", "grpc"], "restrictions_known": true, "repository": "read-only"}], "server_doors": [], "server_doors_settled": true, "servers_settled": true, "mesh_guarded": true, "advisories": [], "advisories_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

bad := {"servers": [{"container": "main", "product": "triton", "version": "", "auth": "none", "listens": "all", "ports": [8000], "model_control": "explicit", "open_protocols": ["http", "grpc"], "restrictions_known": true, "repository": "read-only"}]}

test_explicit_fails if {
	triton_model_control.fail == {{
		"id": "w", "fact": "servers", "expected": "--model-control-mode=none",
		"actual": {"container": "main", "model_control": "explicit", "open_protocols": ["http", "grpc"]},
		"message": "whoever reaches main loads models into it by http and grpc",
	}} with input as world(bad)
}

test_one_protocol_is_enough if {
	found := triton_model_control.fail with input as world({"servers": [{"container": "main", "product": "triton", "version": "", "auth": "none", "listens": "all", "ports": [8000], "model_control": "explicit", "open_protocols": ["grpc"], "restrictions_known": true, "repository": "read-only"}]})
	[f.message | some f in found] == ["whoever reaches main loads models into it by grpc"]
}

test_restricted_passes if {
	triton_model_control.fail == set() with input as world({"servers": [{"container": "main", "product": "triton", "version": "", "auth": "none", "listens": "all", "ports": [8000], "model_control": "explicit", "open_protocols": [], "restrictions_known": true, "repository": "read-only"}]})
	triton_model_control.scope == {"w"} with input as world({"servers": [{"container": "main", "product": "triton", "version": "", "auth": "none", "listens": "all", "ports": [8000], "model_control": "explicit", "open_protocols": [], "restrictions_known": true, "repository": "read-only"}]})
}

test_poll_fails_where_others_write if {
	triton_model_control.fail == {{
		"id": "w", "fact": "servers", "expected": "--model-control-mode=none",
		"actual": {"container": "main", "model_control": "poll", "repository": "remote"},
		"message": "main loads whatever appears in its repository, which is remote",
	}} with input as world({"servers": [{"container": "main", "product": "triton", "version": "", "auth": "none", "listens": "all", "ports": [8000], "model_control": "poll", "open_protocols": ["http"], "restrictions_known": true, "repository": "remote"}]})
	triton_model_control.fail == set() with input as world({"servers": [{"container": "main", "product": "triton", "version": "", "auth": "none", "listens": "all", "ports": [8000], "model_control": "poll", "open_protocols": ["http", "grpc"], "restrictions_known": true, "repository": "read-only"}]})
}

test_sound_passes if {
	triton_model_control.fail == set() with input as world({})
	triton_model_control.scope == {"w"} with input as world({})
}

test_other_servers_are_out_of_scope if {
	other := object.union(bad, {"servers": [{"container": "main", "product": "grafana", "version": "", "auth": "none", "listens": "all", "ports": [8000]}]})
	triton_model_control.scope == set() with input as world(other)
	triton_model_control.fail == set() with input as world(other)
}

test_blind_proves_nothing if {
	every fact in ["servers"] {
		blind := {"resources": {"workload": [object.remove(object.union(workload, bad), [fact])]}}
		triton_model_control.fail == set() with input as blind
	}
}
