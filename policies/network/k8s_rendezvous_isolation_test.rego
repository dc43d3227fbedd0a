package policies.network.k8s_rendezvous_isolation_test

import data.policies.network.k8s_rendezvous_isolation
import rego.v1

workload := {"id": "w", "finished": false, "rendezvous_ports": [6379, 10001], "rendezvous_open": []}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_open_port_fails if {
	k8s_rendezvous_isolation.fail == {{
		"id": "w", "fact": "rendezvous_open", "expected": [], "actual": 6379, "tag": "6379",
		"message": "network policies let pods of other namespaces connect to its rendezvous port 6379",
	}} with input as world({"rendezvous_open": [6379]})
}

test_closed_passes if {
	k8s_rendezvous_isolation.scope == {"w"} with input as world({})
	k8s_rendezvous_isolation.fail == set() with input as world({})
}

test_no_job_is_out_of_scope if {
	k8s_rendezvous_isolation.scope == set() with input as world({"rendezvous_ports": []})
	k8s_rendezvous_isolation.fail == set() with input as world({"rendezvous_ports": [], "rendezvous_open": []})
}

test_finished_is_out_of_scope if {
	k8s_rendezvous_isolation.scope == set() with input as world({"finished": true})
	k8s_rendezvous_isolation.fail == set() with input as world({"finished": true, "rendezvous_open": [6379]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["rendezvous_open"])]}}
	k8s_rendezvous_isolation.fail == set() with input as blind
	blinder := {"resources": {"workload": [object.remove(workload, ["rendezvous_ports"])]}}
	k8s_rendezvous_isolation.scope == set() with input as blinder
}
