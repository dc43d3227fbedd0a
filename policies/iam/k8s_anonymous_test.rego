package policies.iam.k8s_anonymous_test

import data.policies.iam.k8s_anonymous
import rego.v1

grant := {"id": "g", "namespace": "", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "role": {"kind": "ClusterRole", "name": "view"}}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_anonymous_fails if {
	k8s_anonymous.fail == {
		{"id": "g", "fact": "subjects", "expected": "no anonymous subject", "actual": "User system:anonymous", "message": "ClusterRole view is granted to system:anonymous"},
	} with input as world({"subjects": [{"kind": "User", "name": "system:anonymous", "namespace": "", "system": false}]})
}

test_unauthenticated_fails if {
	k8s_anonymous.fail == {
		{"id": "g", "fact": "subjects", "expected": "no anonymous subject", "actual": "Group system:unauthenticated", "message": "ClusterRole view is granted to system:unauthenticated"},
	} with input as world({"subjects": [{"kind": "Group", "name": "system:unauthenticated", "namespace": "", "system": false}]})
}

test_sound_passes if {
	k8s_anonymous.fail == set() with input as world({})
	k8s_anonymous.scope == {"g"} with input as world({})
}

test_public_info_passes if {
	k8s_anonymous.fail == set() with input as world({"subjects": [{"kind": "User", "name": "system:anonymous", "namespace": "", "system": false}], "role": {"kind": "ClusterRole", "name": "system:public-info-viewer"}})
	k8s_anonymous.scope == {"g"} with input as world({"subjects": [{"kind": "User", "name": "system:anonymous", "namespace": "", "system": false}], "role": {"kind": "ClusterRole", "name": "system:public-info-viewer"}})
}

test_account_of_that_name_passes if {
	k8s_anonymous.fail == set() with input as world({"subjects": [{"kind": "ServiceAccount", "name": "system:anonymous", "namespace": "x", "system": false}]})
	k8s_anonymous.scope == {"g"} with input as world({"subjects": [{"kind": "ServiceAccount", "name": "system:anonymous", "namespace": "x", "system": false}]})
}

test_cluster_info_passes if {
	k8s_anonymous.fail == set() with input as world({"subjects": [{"kind": "User", "name": "system:anonymous", "namespace": "", "system": false}], "namespace": "kube-public", "role": {"kind": "Role", "name": "kubeadm:bootstrap-signer-clusterinfo"}})
	k8s_anonymous.scope == {"g"} with input as world({"subjects": [{"kind": "User", "name": "system:anonymous", "namespace": "", "system": false}], "namespace": "kube-public", "role": {"kind": "Role", "name": "kubeadm:bootstrap-signer-clusterinfo"}})
}

test_other_kinds_are_out_of_scope if {
	k8s_anonymous.scope == set() with input as {"resources": {"other": [grant]}}
	k8s_anonymous.fail == set() with input as {"resources": {"other": [grant]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"grant": [object.remove(grant, ["subjects", "role", "namespace"])]}}
	k8s_anonymous.fail == set() with input as blind
}
