package policies.ai.vllm_paths_test

import data.policies.ai.vllm_paths
import rego.v1

workload := {"id": "w", "servers": [{"container": "main", "product": "vllm", "version": "", "auth": "key", "listens": "all", "ports": [8000], "dev_mode": false, "trust_remote_code": false}], "server_doors": [], "server_doors_settled": true, "servers_settled": true, "mesh_guarded": true, "advisories": [], "advisories_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

bad := {"server_doors": [{"container": "main", "product": "vllm", "auth": "key", "way": "load balancer", "through": "s", "internet": "yes", "paths": ["/"], "dev_mode": false}]}

test_every_path_fails if {
	vllm_paths.fail == {{
		"id": "w", "fact": "server_doors", "expected": "paths under /v1 alone",
		"actual": {"container": "main", "way": "load balancer", "through": "s", "paths": ["/"]},
		"message": "vLLM in main is reached from the internet, through s by paths that its key does not protect",
	}} with input as world(bad)
}

test_guarded_paths_pass if {
	vllm_paths.fail == set() with input as world({"server_doors": [object.union(bad.server_doors[0], {"paths": ["/v1", "/v1/models", "/health"]})]})
	some_more := object.union(bad.server_doors[0], {"paths": ["/v1", "/metrics"]})
	count(vllm_paths.fail) == 1 with input as world({"server_doors": [some_more]})
}

test_without_a_key_it_is_no_question if {
	vllm_paths.scope == set() with input as world({"servers": [{"container": "main", "product": "vllm", "version": "", "auth": "none", "listens": "all", "ports": [8000], "dev_mode": false, "trust_remote_code": false}]})
}

test_a_key_that_nobody_tells_leaves_it_in_scope if {
	vllm_paths.scope == {"w"} with input as world({"servers": [{"container": "main", "product": "vllm", "version": "", "auth": "unknown", "listens": "all", "ports": [8000]}]})
}

test_sound_passes if {
	vllm_paths.fail == set() with input as world({})
	vllm_paths.scope == {"w"} with input as world({})
}

test_other_servers_are_out_of_scope if {
	other := object.union(bad, {"servers": [{"container": "main", "product": "vllm", "version": "", "auth": "none", "listens": "all", "ports": [8000], "dev_mode": false, "trust_remote_code": false}]})
	vllm_paths.scope == set() with input as world(other)
	vllm_paths.fail == set() with input as world(other)
}

test_blind_proves_nothing if {
	every fact in ["servers", "server_doors"] {
		blind := {"resources": {"workload": [object.remove(object.union(workload, bad), [fact])]}}
		vllm_paths.fail == set() with input as blind
	}
}
