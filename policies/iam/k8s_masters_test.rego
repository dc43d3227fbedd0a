package policies.iam.k8s_masters_test

import data.policies.iam.k8s_masters
import rego.v1

masters := {"kind": "Group", "name": "system:masters", "namespace": "", "system": true}

grant := {"id": "g", "name": "admins", "subjects": [masters], "role": {"kind": "ClusterRole", "name": "cluster-admin"}, "cluster_wide": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_another_binding_fails if {
	k8s_masters.fail == {{"id": "g", "fact": "subjects", "expected": "a group of your own", "actual": "Group system:masters", "message": "ClusterRole cluster-admin is bound to system:masters"}} with input as world({})
}

test_every_difference_counts if {
	every change in [{"name": "cluster-admin", "cluster_wide": false}, {"name": "cluster-admin", "role": {"kind": "ClusterRole", "name": "view"}}] {
		count(k8s_masters.fail) == 1 with input as world(change)
	}
}

test_the_own_binding_passes if {
	k8s_masters.fail == set() with input as world({"name": "cluster-admin"})
	k8s_masters.scope == {"g"} with input as world({"name": "cluster-admin"})
}

test_others_pass if {
	every other in [{"kind": "User", "name": "system:masters", "namespace": "", "system": false}, {"kind": "Group", "name": "admins", "namespace": "", "system": false}] {
		k8s_masters.fail == set() with input as world({"subjects": [other]})
	}
}

test_out_of_scope if {
	k8s_masters.scope == set() with input as {"resources": {"other": [grant]}}
}

test_blind_proves_nothing if {
	every fact in ["subjects", "role", "cluster_wide"] {
		k8s_masters.fail == set() with input as {"resources": {"grant": [object.remove(grant, [fact])]}}
	}
}
