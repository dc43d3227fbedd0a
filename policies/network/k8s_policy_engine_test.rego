package policies.network.k8s_policy_engine_test

import data.policies.network.k8s_policy_engine
import rego.v1

thing := {"id": "c", "ignores_policies": []}

world(changes) := {"resources": {"cluster": [object.union(thing, changes)]}}

bad := object.union(thing, {"ignores_policies": ["Flannel"]})

test_nothing_enforces_fails if {
	k8s_policy_engine.fail == {{
		"id": "c", "fact": "ignores_policies", "expected": [], "actual": ["Amazon VPC CNI", "Flannel"],
		"message": "it runs on Amazon VPC CNI, Flannel, and nothing in it enforces NetworkPolicies",
	}} with input as world({"ignores_policies": ["Amazon VPC CNI", "Flannel"]})
}

test_sound_passes if {
	k8s_policy_engine.fail == set() with input as world({})
	k8s_policy_engine.scope == {"c"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	k8s_policy_engine.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_policy_engine.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["ignores_policies"] {
		blind := {"resources": {"cluster": [object.remove(bad, [fact])]}}
		k8s_policy_engine.fail == set() with input as blind
	}
}
