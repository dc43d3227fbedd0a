package policies.workload.debug_container_test

import data.policies.workload.debug_container
import rego.v1

workload := {"id": "w", "namespace": "team", "containers": [{"type": "container", "name": "main"}, {"type": "ephemeral", "name": "debugger"}], "ephemeral_running": []}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_running_fails if {
	debug_container.fail == {{"id": "w", "fact": "ephemeral_running", "expected": [], "actual": "debugger", "message": "the ephemeral container debugger runs in it"}} with input as world({"ephemeral_running": ["debugger"]})
}

test_ended_passes if {
	debug_container.fail == set() with input as world({})
	debug_container.scope == {"w"} with input as world({})
}

test_out_of_scope if {
	every change in [{"namespace": "kube-system"}, {"containers": [{"type": "container", "name": "main"}]}] {
		debug_container.scope == set() with input as world(object.union({"ephemeral_running": ["debugger"]}, change))
		debug_container.fail == set() with input as world(object.union({"ephemeral_running": ["debugger"]}, change))
	}
}

test_blind_proves_nothing if {
	every fact in ["ephemeral_running", "namespace", "containers"] {
		debug_container.fail == set() with input as {"resources": {"workload": [object.remove(object.union(workload, {"ephemeral_running": ["debugger"]}), [fact])]}}
	}
}
