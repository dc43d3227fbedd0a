package policies.iam.k8s_masters_requested_test

import data.policies.iam.k8s_masters_requested
import rego.v1

request := {"id": "c", "signer": "kubernetes.io/kube-apiserver-client", "requested_groups": ["developers"]}

world(changes) := {"resources": {"credential": [object.union(request, changes)]}}

test_masters_fail if {
	k8s_masters_requested.fail == {{"id": "c", "fact": "requested_groups", "expected": "a group of your own", "actual": "system:masters", "message": "asks for a client certificate of system:masters"}} with input as world({"requested_groups": ["a", "system:masters"]})
}

test_sound_passes if {
	k8s_masters_requested.fail == set() with input as world({})
	k8s_masters_requested.scope == {"c"} with input as world({})
}

test_out_of_scope if {
	k8s_masters_requested.scope == set() with input as world({"signer": "kubernetes.io/kubelet-serving", "requested_groups": ["system:masters"]})
	k8s_masters_requested.fail == set() with input as world({"signer": "kubernetes.io/kubelet-serving", "requested_groups": ["system:masters"]})
}

test_blind_proves_nothing if {
	every fact in ["signer", "requested_groups"] {
		k8s_masters_requested.fail == set() with input as {"resources": {"credential": [object.remove(object.union(request, {"requested_groups": ["system:masters"]}), [fact])]}}
	}
}
