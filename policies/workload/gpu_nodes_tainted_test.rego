package policies.workload.gpu_nodes_tainted_test

import data.policies.workload.gpu_nodes_tainted
import rego.v1

node := {"id": "n", "accelerator": true, "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]}

world(changes) := {"resources": {"node": [object.union(node, changes)]}}

untainted := {{
	"id": "n", "fact": "taints", "expected": "a taint NoSchedule or NoExecute",
	"message": "has accelerators, and no taint keeps other pods away",
}}

test_none_fails if {
	found := untainted
	gpu_nodes_tainted.fail == found with input as world({"taints": []})
	gpu_nodes_tainted.fail == found with input as world({"taints": [{"key": "gpu", "value": "", "effect": "PreferNoSchedule"}]})
	gpu_nodes_tainted.fail == found with input as world({"taints": [{"key": "node.kubernetes.io/unschedulable", "value": "", "effect": "NoSchedule"}]})
}

test_tainted_passes if {
	gpu_nodes_tainted.fail == set() with input as world({})
	gpu_nodes_tainted.scope == {"n"} with input as world({})
	gpu_nodes_tainted.fail == set() with input as world({"taints": [{"key": "team", "value": "", "effect": "NoExecute"}]})
}

test_nodes_without_accelerators_are_out_of_scope if {
	gpu_nodes_tainted.scope == set() with input as world({"accelerator": false, "taints": []})
}

test_blind_proves_nothing if {
	gpu_nodes_tainted.fail == set() with input as {"resources": {"node": [object.remove(node, ["taints"])]}}
}
