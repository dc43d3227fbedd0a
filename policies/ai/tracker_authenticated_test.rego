package policies.ai.tracker_authenticated_test

import data.policies.ai.tracker_authenticated
import rego.v1

workload := {"id": "w", "servers": [{"container": "main", "product": "mlflow", "version": "", "auth": "none", "listens": "all", "ports": [8000], "unguarded": []}], "server_doors": [], "server_doors_settled": true, "servers_settled": true, "mesh_guarded": true, "advisories": [], "advisories_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

bad := {"server_doors": [{"container": "main", "product": "mlflow", "auth": "none", "way": "load balancer", "through": "s", "internet": "yes", "paths": ["/"], "dev_mode": false}]}

test_open_fails if {
	tracker_authenticated.fail == {{
		"id": "w", "fact": "server_doors", "expected": "callers who prove who they are",
		"actual": {"container": "main", "way": "load balancer", "through": "s", "paths": ["/"]},
		"message": "MLflow in main asks nobody who he is and is reached from the internet, through s",
	}} with input as world(bad)
}

test_no_middleware_fails_with_users if {
	tracker_authenticated.fail == {{
		"id": "w", "fact": "server_doors", "expected": "checks of Host headers",
		"actual": {"container": "main", "way": "load balancer", "through": "s", "paths": ["/"]},
		"message": "MLflow in main accepts any Host header and is reached from the internet, through s",
	}} with input as world({"servers": [{"container": "main", "product": "mlflow", "version": "", "auth": "key", "listens": "all", "ports": [8000], "unguarded": ["any Host header"]}], "server_doors": [{"container": "main", "product": "mlflow", "auth": "key", "way": "load balancer", "through": "s", "internet": "yes", "paths": ["/"], "dev_mode": false}]})
}

test_users_settle_it if {
	tracker_authenticated.safe == {"w"} with input as world({"servers": [{"container": "main", "product": "mlflow", "version": "", "auth": "key", "listens": "all", "ports": [8000], "unguarded": []}, {"container": "main", "product": "grafana", "version": "", "auth": "none", "listens": "all", "ports": [8000]}], "server_doors": [{"container": "main", "product": "mlflow", "auth": "key", "way": "load balancer", "through": "s", "internet": "yes", "paths": ["/"], "dev_mode": false}]})
	tracker_authenticated.safe == {"w"} with input as world({"servers": [{"container": "main", "product": "mlflow", "version": "", "auth": "none", "listens": "loopback", "ports": [8000], "unguarded": []}]})
	tracker_authenticated.safe == set() with input as world({"servers": [{"container": "main", "product": "mlflow", "version": "", "auth": "key", "listens": "all", "ports": [8000], "unguarded": ["any Host header"]}]})
}

test_sound_passes if {
	tracker_authenticated.fail == set() with input as world({})
	tracker_authenticated.scope == {"w"} with input as world({})
}

test_other_servers_are_out_of_scope if {
	other := object.union(bad, {"servers": [{"container": "main", "product": "grafana", "version": "", "auth": "none", "listens": "all", "ports": [8000]}]})
	tracker_authenticated.scope == set() with input as world(other)
	tracker_authenticated.fail == set() with input as world(other)
}

test_blind_proves_nothing if {
	every fact in ["servers", "server_doors"] {
		blind := {"resources": {"workload": [object.remove(object.union(workload, bad), [fact])]}}
		tracker_authenticated.fail == set() with input as blind
	}
}
