package policies.iam.k8s_gpu_operator_namespace_test

import data.policies.iam.k8s_gpu_operator_namespace
import rego.v1

operator := {"id": "o", "pod_creators": []}

creator := {"kind": "Group", "name": "researchers", "binding": "edit", "namespace": "gpu-operator"}

world(changes) := {
	"resources": {"operator": [object.union(operator, changes)]},
	"params": {"iam.k8s_gpu_operator_namespace": {"administrators": ["sre"]}},
}

test_creators_fail if {
	k8s_gpu_operator_namespace.fail == {{
		"id": "o", "fact": "pod_creators", "expected": "administrators alone", "tag": "Group researchers edit",
		"message": "group researchers may make pods in namespace gpu-operator (binding edit)",
	}} with input as world({"pod_creators": [creator]})
}

test_sound_passes if {
	every creators in [[], [object.union(creator, {"name": "sre"})]] {
		k8s_gpu_operator_namespace.fail == set() with input as world({"pod_creators": creators})
		k8s_gpu_operator_namespace.scope == {"o"} with input as world({"pod_creators": creators})
	}
}

test_other_kinds_are_out_of_scope if {
	k8s_gpu_operator_namespace.scope == set() with input as {"resources": {"other": [operator]}}
	k8s_gpu_operator_namespace.fail == set() with input as {"resources": {"other": [operator]}}
}

test_blind_proves_nothing if {
	blind := object.union(world({}), {"resources": {"operator": [object.remove(operator, ["pod_creators"])]}})
	k8s_gpu_operator_namespace.fail == set() with input as blind
}
