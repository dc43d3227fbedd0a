package policies.ai.jupyter_authenticated_test

import data.policies.ai.jupyter_authenticated
import rego.v1

workload := {"id": "w", "servers": [{"container": "main", "product": "jupyter", "version": "", "auth": "none", "listens": "all", "ports": [8000]}], "server_doors": [], "server_doors_settled": true, "servers_settled": true, "mesh_guarded": true, "advisories": [], "advisories_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

bad := {"mesh_guarded": false}

test_open_fails if {
	jupyter_authenticated.fail == {{
		"id": "w", "fact": "servers", "expected": "a token, a password, or a mesh policy that names who may call",
		"actual": {"container": "main", "auth": "none"},
		"message": "whoever reaches Jupyter in main has a shell in it",
	}} with input as world(bad)
	jupyter_authenticated.safe == set() with input as world(bad)
}

test_a_token_settles_it if {
	jupyter_authenticated.safe == {"w"} with input as world(object.union(bad, {"servers": [{"container": "main", "product": "jupyter", "version": "", "auth": "key", "listens": "all", "ports": [8000]}, {"container": "main", "product": "grafana", "version": "", "auth": "none", "listens": "all", "ports": [8000]}]}))
	jupyter_authenticated.fail == set() with input as world(object.union(bad, {"servers": [{"container": "main", "product": "jupyter", "version": "", "auth": "key", "listens": "all", "ports": [8000]}]}))
}

test_the_loopback_address_settles_it if {
	jupyter_authenticated.safe == {"w"} with input as world(object.union(bad, {"servers": [{"container": "main", "product": "jupyter", "version": "", "auth": "none", "listens": "loopback", "ports": [8000]}]}))
}

test_unknown_settles_nothing if {
	jupyter_authenticated.safe == set() with input as world(object.union(bad, {"servers": [{"container": "main", "product": "jupyter", "version": "", "auth": "unknown", "listens": "all", "ports": [8000]}]}))
	jupyter_authenticated.fail == set() with input as world(object.union(bad, {"servers": [{"container": "main", "product": "jupyter", "version": "", "auth": "none", "listens": "unknown", "ports": [8000]}]}))
}

test_sound_passes if {
	jupyter_authenticated.fail == set() with input as world({})
	jupyter_authenticated.scope == {"w"} with input as world({})
}

test_other_servers_are_out_of_scope if {
	other := object.union(bad, {"servers": [{"container": "main", "product": "jupyterhub", "version": "", "auth": "key", "listens": "all", "ports": [8000]}]})
	jupyter_authenticated.scope == set() with input as world(other)
	jupyter_authenticated.fail == set() with input as world(other)
}

test_blind_proves_nothing if {
	every fact in ["servers", "mesh_guarded"] {
		blind := {"resources": {"workload": [object.remove(object.union(workload, bad), [fact])]}}
		jupyter_authenticated.fail == set() with input as blind
	}
}
