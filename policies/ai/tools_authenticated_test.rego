package policies.ai.tools_authenticated_test

import data.policies.ai.tools_authenticated
import rego.v1

workload := {"id": "w", "servers": [{"container": "main", "product": "tensorboard", "version": "", "auth": "none", "listens": "all", "ports": [8000]}], "server_doors": [], "server_doors_settled": true, "servers_settled": true, "mesh_guarded": true, "advisories": [], "advisories_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

bad := {"server_doors": [{"container": "main", "product": "tensorboard", "auth": "none", "way": "load balancer", "through": "s", "internet": "yes", "paths": ["/"], "dev_mode": false}]}

test_open_fails if {
	tools_authenticated.fail == {{
		"id": "w", "fact": "server_doors", "expected": "callers who prove who they are",
		"actual": {"container": "main", "way": "load balancer", "through": "s", "paths": ["/"]},
		"message": "tensorboard in main asks nobody who he is and is reached from the internet, through s",
	}} with input as world(bad)
	tools_authenticated.safe == set() with input as world(bad)
}

test_a_key_settles_it if {
	keyed := {"servers": [{"container": "main", "product": "tensorboard", "version": "", "auth": "key", "listens": "all", "ports": [8000]}, {"container": "main", "product": "vllm", "version": "", "auth": "none", "listens": "all", "ports": [8000]}], "server_doors": [{"container": "main", "product": "tensorboard", "auth": "key", "way": "load balancer", "through": "s", "internet": "yes", "paths": ["/"], "dev_mode": false}]}
	tools_authenticated.fail == set() with input as world(keyed)
	tools_authenticated.safe == {"w"} with input as world(keyed)
}

test_the_loopback_address_settles_it if {
	tools_authenticated.safe == {"w"} with input as world({"servers": [{"container": "main", "product": "tensorboard", "version": "", "auth": "none", "listens": "loopback", "ports": [8000]}]})
}

test_unknown_settles_nothing if {
	tools_authenticated.safe == set() with input as world({"servers": [{"container": "main", "product": "tensorboard", "version": "", "auth": "unknown", "listens": "all", "ports": [8000]}]})
}

test_sound_passes if {
	tools_authenticated.fail == set() with input as world({})
	tools_authenticated.scope == {"w"} with input as world({})
}

test_other_servers_are_out_of_scope if {
	other := object.union(bad, {"servers": [{"container": "main", "product": "vllm", "version": "", "auth": "none", "listens": "all", "ports": [8000]}]})
	tools_authenticated.scope == set() with input as world(other)
	tools_authenticated.fail == set() with input as world(other)
}

test_blind_proves_nothing if {
	every fact in ["servers", "server_doors"] {
		blind := {"resources": {"workload": [object.remove(object.union(workload, bad), [fact])]}}
		tools_authenticated.fail == set() with input as blind
	}
}
