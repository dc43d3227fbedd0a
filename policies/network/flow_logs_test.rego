package policies.network.flow_logs_test

import data.policies.network.flow_logs
import rego.v1

network := {"id": "n", "has_nodes": true, "ai_role": "none", "flow_logs": [{"traffic": "all", "active": true}]}

world(changes) := {"resources": {"network": [object.union(network, changes)]}}

blind(facts) := {"resources": {"network": [object.remove(network, facts)]}}

test_fails if {
	every logs in [[], [{"traffic": "reject", "active": true}], [{"traffic": "all", "active": false}]] {
		flow_logs.fail == {{
			"id": "n", "fact": "flow_logs", "expected": "an active flow log of all traffic",
			"message": "no active flow log records all traffic",
		}} with input as world({"flow_logs": logs})
	}
}

test_passes if {
	flow_logs.scope == {"n"} with input as world({})
	flow_logs.fail == set() with input as world({})
}

test_parts_of_the_factory_without_nodes if {
	flow_logs.scope == {"n"} with input as world({"has_nodes": false, "ai_role": "management"})
	count(flow_logs.fail) == 1 with input as world({"has_nodes": false, "ai_role": "training", "flow_logs": []})
}

test_out_of_scope if {
	flow_logs.scope == set() with input as world({"has_nodes": false})
	flow_logs.fail == set() with input as world({"has_nodes": false, "flow_logs": []})
}

test_blind_proves_nothing if {
	flow_logs.scope == {"n"} with input as blind(["flow_logs"])
	flow_logs.fail == set() with input as blind(["flow_logs"])
	flow_logs.scope == set() with input as blind(["has_nodes"])
}
