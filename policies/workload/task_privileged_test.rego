package policies.workload.task_privileged_test

import data.policies.workload.task_privileged
import rego.v1

task := {
	"id": "t", "name": "train", "accelerator": true, "host_pid": false, "host_network": false,
	"containers": [{"name": "main", "privileged": false}],
}

params(changes) := {"workload.task_privileged": object.union({"families": [], "host_network": false}, changes)}

world(changes) := {"resources": {"workload": [object.union(task, changes)]}, "params": params({})}

blind(facts) := {"resources": {"workload": [object.remove(task, facts)]}, "params": params({})}

test_privileged_fails if {
	task_privileged.fail == {{
		"id": "t", "fact": "containers", "expected": false, "actual": [{"name": "main", "privileged": true}], "tag": "main",
		"message": "container main is privileged",
	}} with input as world({"containers": [{"name": "main", "privileged": true}]})
}

test_host_fails if {
	task_privileged.fail == {
		{"id": "t", "fact": "host_pid", "expected": false, "tag": "host_pid", "message": "it sees the processes of its host"},
		{"id": "t", "fact": "host_network", "expected": false, "tag": "host_network", "message": "it shares the network of its host"},
	} with input as world({"host_pid": true, "host_network": true})
}

test_host_network_may_be_meant if {
	task_privileged.fail == set() with input as {
		"resources": {"workload": [object.union(task, {"host_network": true})]},
		"params": params({"host_network": true}),
	}
}

test_families_are_exempt if {
	task_privileged.exempt == {{"id": "t", "reason": "its family is among the parameter families"}} with input as {
		"resources": {"workload": [task]},
		"params": params({"families": ["train"]}),
	}
}

test_passes if {
	task_privileged.scope == {"t"} with input as world({})
	task_privileged.fail == set() with input as world({})
	task_privileged.exempt == set() with input as world({})
}

test_out_of_scope if {
	task_privileged.scope == set() with input as world({"accelerator": false, "host_pid": true})
	task_privileged.fail == set() with input as world({"accelerator": false, "host_pid": true})
}

test_blind_proves_nothing if {
	task_privileged.scope == set() with input as blind(["accelerator"])
	task_privileged.fail == set() with input as blind(["containers", "host_pid", "host_network"])
}
