package policies.iam.k8s_dra_admin_namespaces_test

import data.policies.iam.k8s_dra_admin_namespaces
import rego.v1

namespace := {"id": "n", "name": "team-a", "dra_admin": false}

world(changes) := {
	"resources": {"namespace": [object.union(namespace, changes)]},
	"params": {"iam.k8s_dra_admin_namespaces": {"namespaces": ["gpu-operator"]}},
}

test_label_fails if {
	k8s_dra_admin_namespaces.fail == {{
		"id": "n", "fact": "dra_admin", "expected": false,
		"message": "claims in it may have admin access to devices of others",
	}} with input as world({"dra_admin": true})
}

test_sound_passes if {
	every change in [{}, {"dra_admin": true, "name": "gpu-operator"}] {
		k8s_dra_admin_namespaces.fail == set() with input as world(change)
		k8s_dra_admin_namespaces.scope == {"n"} with input as world(change)
	}
}

test_other_kinds_are_out_of_scope if {
	k8s_dra_admin_namespaces.scope == set() with input as {"resources": {"other": [namespace]}}
	k8s_dra_admin_namespaces.fail == set() with input as {"resources": {"other": [namespace]}}
}

test_blind_proves_nothing if {
	blind := object.union(world({}), {"resources": {"namespace": [object.remove(namespace, ["dra_admin"])]}})
	k8s_dra_admin_namespaces.fail == set() with input as blind
}
