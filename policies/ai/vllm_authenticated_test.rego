package policies.ai.vllm_authenticated_test

import data.policies.ai.vllm_authenticated
import rego.v1

workload := {"id": "w", "servers": [{"container": "main", "product": "vllm", "version": "", "auth": "none", "listens": "all", "ports": [8000], "dev_mode": false, "trust_remote_code": false}], "server_doors": [], "server_doors_settled": true, "servers_settled": true, "mesh_guarded": true, "advisories": [], "advisories_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

bad := {"server_doors": [{"container": "main", "product": "vllm", "auth": "none", "way": "load balancer", "through": "s", "internet": "yes", "paths": ["/"], "dev_mode": false}]}

test_open_fails if {
	vllm_authenticated.fail == {{
		"id": "w", "fact": "server_doors", "expected": "a key, or a proxy that asks who calls",
		"actual": {"container": "main", "way": "load balancer", "through": "s", "paths": ["/"]},
		"message": "vLLM in main asks for no key and is reached from the internet, through s",
	}} with input as world(bad)
	vllm_authenticated.safe == set() with input as world(bad)
}

test_a_key_settles_it if {
	keyed := {"servers": [{"container": "main", "product": "vllm", "version": "", "auth": "key", "listens": "all", "ports": [8000], "dev_mode": false, "trust_remote_code": false}], "server_doors": [{"container": "main", "product": "vllm", "auth": "key", "way": "load balancer", "through": "s", "internet": "yes", "paths": ["/"], "dev_mode": false}]}
	vllm_authenticated.fail == set() with input as world(keyed)
	vllm_authenticated.safe == {"w"} with input as world(keyed)
}

test_development_endpoints_fail_with_a_key if {
	developing := {"servers": [{"container": "main", "product": "vllm", "version": "", "auth": "key", "listens": "all", "ports": [8000], "dev_mode": true, "trust_remote_code": false}], "server_doors": [{"container": "main", "product": "vllm", "auth": "key", "way": "load balancer", "through": "s", "internet": "yes", "paths": ["/"], "dev_mode": true}]}
	vllm_authenticated.fail == {{
		"id": "w", "fact": "server_doors", "expected": "no development endpoints",
		"actual": {"container": "main", "way": "load balancer", "through": "s", "paths": ["/"]},
		"message": "vLLM in main has its development endpoints, which no key protects, and is reached from the internet, through s",
	}} with input as world(developing)
	vllm_authenticated.safe == set() with input as world(developing)
}

test_the_loopback_address_settles_it if {
	vllm_authenticated.safe == {"w"} with input as world({"servers": [{"container": "main", "product": "vllm", "version": "", "auth": "none", "listens": "loopback", "ports": [8000], "dev_mode": false, "trust_remote_code": false}]})
}

test_sound_passes if {
	vllm_authenticated.fail == set() with input as world({})
	vllm_authenticated.scope == {"w"} with input as world({})
}

test_other_servers_are_out_of_scope if {
	other := object.union(bad, {"servers": [{"container": "main", "product": "ollama", "version": "", "auth": "none", "listens": "all", "ports": [8000]}]})
	vllm_authenticated.scope == set() with input as world(other)
	vllm_authenticated.fail == set() with input as world(other)
}

test_blind_proves_nothing if {
	every fact in ["servers", "server_doors"] {
		blind := {"resources": {"workload": [object.remove(object.union(workload, bad), [fact])]}}
		vllm_authenticated.fail == set() with input as blind
	}
}
