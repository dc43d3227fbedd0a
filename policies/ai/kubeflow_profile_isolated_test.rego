package policies.ai.kubeflow_profile_isolated_test

import data.policies.ai.kubeflow_profile_isolated
import rego.v1

namespace := {"id": "n", "profile": true, "mesh": "istio", "denies_by_default": true, "open_policies": [], "header_policies": []}

world(changes) := {"resources": {"namespace": [object.union(namespace, changes)]}}

test_no_default_fails if {
	kubeflow_profile_isolated.fail == {
		{"id": "n", "fact": "denies_by_default", "expected": true, "tag": "default", "message": "no policy denies what it does not name: any pod of the cluster may call what runs in it"},
	} with input as world({"denies_by_default": false})
}

test_open_policies_fail if {
	kubeflow_profile_isolated.fail == {
		{"id": "n", "fact": "open_policies", "expected": [], "tag": "open", "message": "policies let callers in that they do not name: a, b"},
		{"id": "n", "fact": "header_policies", "expected": [], "tag": "header", "message": "policies believe a header that any caller may write: owner"},
	} with input as world({"open_policies": ["a", "b"], "header_policies": ["owner"]})
}

test_outside_of_the_mesh_fails if {
	kubeflow_profile_isolated.fail == {
		{"id": "n", "fact": "mesh", "expected": "istio", "tag": "mesh", "message": "its pods are in no mesh, so that no policy binds them"},
	} with input as world({"mesh": "none"})
}

test_isolated_passes if {
	kubeflow_profile_isolated.fail == set() with input as world({})
	kubeflow_profile_isolated.scope == {"n"} with input as world({"mesh": "istio-ambient"})
}

test_out_of_scope if {
	kubeflow_profile_isolated.scope == set() with input as world({"profile": false, "denies_by_default": false})
	kubeflow_profile_isolated.fail == set() with input as world({"profile": false, "denies_by_default": false})
}

test_blind_proves_nothing if {
	blind := {"resources": {"namespace": [object.remove(namespace, ["mesh", "denies_by_default", "open_policies", "header_policies"])]}}
	kubeflow_profile_isolated.fail == set() with input as blind
}
