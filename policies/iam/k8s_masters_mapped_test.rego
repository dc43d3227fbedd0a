package policies.iam.k8s_masters_mapped_test

import data.policies.iam.k8s_masters_mapped
import rego.v1

mapping := {"id": "c", "name": "aws-auth", "namespace": "kube-system", "masters_mapped": []}

world(changes) := {"resources": {"configuration": [object.union(mapping, changes)]}}

test_mapped_fails if {
	k8s_masters_mapped.fail == {{"id": "c", "fact": "masters_mapped", "expected": "a group of your own", "actual": "arn:a", "message": "arn:a is in system:masters"}} with input as world({"masters_mapped": ["arn:a"]})
}

test_sound_passes if {
	k8s_masters_mapped.fail == set() with input as world({})
	k8s_masters_mapped.scope == {"c"} with input as world({})
}

test_out_of_scope if {
	every change in [{"name": "other"}, {"namespace": "team"}] {
		k8s_masters_mapped.scope == set() with input as world(object.union({"masters_mapped": ["arn:a"]}, change))
		k8s_masters_mapped.fail == set() with input as world(object.union({"masters_mapped": ["arn:a"]}, change))
	}
}

test_blind_proves_nothing if {
	k8s_masters_mapped.fail == set() with input as {"resources": {"configuration": [object.remove(mapping, ["masters_mapped"])]}}
}
