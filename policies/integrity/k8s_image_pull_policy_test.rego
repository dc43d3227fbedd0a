package policies.integrity.k8s_image_pull_policy_test

import data.policies.integrity.k8s_image_pull_policy
import rego.v1

workload := {"id": "w", "image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "Always"}], "images_settled": true, "pull_verified": false}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}, "params": {"integrity.k8s_image_pull_policy": {"public": ["docker.io", "quay.io"]}}}

test_a_private_image_fails if {
	k8s_image_pull_policy.fail == {{"id": "w", "fact": "image_refs", "expected": "imagePullPolicy: Always", "actual": ["registry.example/a:1"], "message": "a node gives registry.example/a:1 to every pod once it has it"}} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}, {"container": "main", "type": "container", "image": "pytorch/pytorch", "registry": "docker.io", "repository": "pytorch/pytorch", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
	k8s_image_pull_policy.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}, {"container": "main", "type": "container", "image": "pytorch/pytorch", "registry": "docker.io", "repository": "pytorch/pytorch", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
}

test_never_fails if {
	k8s_image_pull_policy.fail == {{"id": "w", "fact": "image_refs", "expected": "imagePullPolicy: Always", "actual": ["registry.example/a:1"], "message": "a node gives registry.example/a:1 to every pod once it has it"}} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "Never"}]})
	k8s_image_pull_policy.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "Never"}]})
}

test_always_passes if {
	k8s_image_pull_policy.fail == set() with input as world({})
	k8s_image_pull_policy.scope == {"w"} with input as world({})
}

test_verified_passes if {
	k8s_image_pull_policy.fail == set() with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}], "pull_verified": true})
	k8s_image_pull_policy.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}], "pull_verified": true})
}

test_public_is_out_of_scope if {
	k8s_image_pull_policy.fail == set() with input as world({"image_refs": [{"container": "main", "type": "container", "image": "pytorch/pytorch", "registry": "docker.io", "repository": "pytorch/pytorch", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
	k8s_image_pull_policy.scope == set() with input as world({"image_refs": [{"container": "main", "type": "container", "image": "pytorch/pytorch", "registry": "docker.io", "repository": "pytorch/pytorch", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
}

test_other_kinds_are_out_of_scope if {
	k8s_image_pull_policy.scope == set() with input as {"resources": {"other": [workload]}, "params": {"integrity.k8s_image_pull_policy": {"public": ["docker.io", "quay.io"]}}}
	k8s_image_pull_policy.fail == set() with input as {"resources": {"other": [workload]}, "params": {"integrity.k8s_image_pull_policy": {"public": ["docker.io", "quay.io"]}}}
}

test_blind_proves_nothing if {
	k8s_image_pull_policy.fail == set() with input as {"resources": {"workload": [{"id": "w", "images_settled": true, "pull_verified": false}]}, "params": {"integrity.k8s_image_pull_policy": {"public": ["docker.io", "quay.io"]}}}
	k8s_image_pull_policy.fail == set() with input as {"resources": {"workload": [{"id": "w", "image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}], "images_settled": true}]}, "params": {"integrity.k8s_image_pull_policy": {"public": ["docker.io", "quay.io"]}}}
}
