package policies.ai.cluster_queue_namespaces_test

import data.policies.ai.cluster_queue_namespaces
import rego.v1

queue := {"id": "q", "namespaces_selected": "some"}

world(changes) := {"resources": {"quota": [object.union(queue, changes)]}}

test_everybody_fails if {
	cluster_queue_namespaces.fail == {{
		"id": "q", "fact": "namespaces_selected", "expected": "a selector that chooses",
		"message": "admits the workloads of every namespace (namespaceSelector: {})",
	}} with input as world({"namespaces_selected": "all"})
}

test_some_or_none_pass if {
	cluster_queue_namespaces.fail == set() with input as world({})
	cluster_queue_namespaces.fail == set() with input as world({"namespaces_selected": "none"})
	cluster_queue_namespaces.scope == {"q"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	cluster_queue_namespaces.scope == set() with input as {"resources": {"other": [queue]}}
}

test_blind_proves_nothing if {
	cluster_queue_namespaces.fail == set() with input as {"resources": {"quota": [object.remove(queue, ["namespaces_selected"])]}}
}
