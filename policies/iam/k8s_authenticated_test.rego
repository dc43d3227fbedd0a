package policies.iam.k8s_authenticated_test

import data.policies.iam.k8s_authenticated
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "role": {"kind": "ClusterRole", "name": "view"}}

world(changes) := {"params": {"iam.k8s_authenticated": {"roles": ["system:basic-user", "system:discovery", "system:public-info-viewer", "system:service-account-issuer-discovery", "system:cluster-trust-bundle-discovery"]}}, "resources": {"grant": [object.union(grant, changes)]}}

test_authenticated_fails if {
	k8s_authenticated.fail == {
		{"id": "g", "fact": "subjects", "expected": "named subjects", "actual": "Group system:authenticated", "message": "ClusterRole view is granted to all of system:authenticated"},
	} with input as world({"subjects": [{"kind": "Group", "name": "system:authenticated", "namespace": "", "system": false}]})
}

test_accounts_of_a_namespace_fails if {
	k8s_authenticated.fail == {
		{"id": "g", "fact": "subjects", "expected": "named subjects", "actual": "Group system:serviceaccounts:team", "message": "ClusterRole view is granted to all of system:serviceaccounts:team"},
	} with input as world({"subjects": [{"kind": "Group", "name": "system:serviceaccounts:team", "namespace": "", "system": false}]})
}

test_sound_passes if {
	k8s_authenticated.fail == set() with input as world({})
	k8s_authenticated.scope == {"g"} with input as world({})
}

test_discovery_passes if {
	k8s_authenticated.fail == set() with input as world({"subjects": [{"kind": "Group", "name": "system:authenticated", "namespace": "", "system": false}], "role": {"kind": "ClusterRole", "name": "system:discovery"}})
	k8s_authenticated.scope == {"g"} with input as world({"subjects": [{"kind": "Group", "name": "system:authenticated", "namespace": "", "system": false}], "role": {"kind": "ClusterRole", "name": "system:discovery"}})
}

test_other_kinds_are_out_of_scope if {
	k8s_authenticated.scope == set() with input as {"resources": {"other": [grant]}}
	k8s_authenticated.fail == set() with input as {"resources": {"other": [grant]}}
}

test_blind_proves_nothing if {
	blind := {"params": {"iam.k8s_authenticated": {"roles": ["system:basic-user", "system:discovery", "system:public-info-viewer", "system:service-account-issuer-discovery", "system:cluster-trust-bundle-discovery"]}}, "resources": {"grant": [object.remove(grant, ["subjects", "role"])]}}
	k8s_authenticated.fail == set() with input as blind
}
