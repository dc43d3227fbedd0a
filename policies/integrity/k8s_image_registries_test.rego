package policies.integrity.k8s_image_registries_test

import data.policies.integrity.k8s_image_registries
import rego.v1

workload := {"id": "w", "image_refs": [], "images_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}, "params": {"integrity.k8s_image_registries": {"registries": ["nvcr.io", "*.ecr.example", "docker.io/library", "registry.example/team/"]}}}

test_another_registry_fails if {
	k8s_image_registries.fail == {{"id": "w", "fact": "image_refs", "expected": "an allowed registry", "tag": "container main", "actual": {"container": "main", "image": "pytorch/pytorch"}, "message": "pytorch/pytorch comes from docker.io, which is not allowed"}} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "pytorch/pytorch", "registry": "docker.io", "repository": "pytorch/pytorch", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
	k8s_image_registries.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "pytorch/pytorch", "registry": "docker.io", "repository": "pytorch/pytorch", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
}

test_the_boundary_is_kept if {
	k8s_image_registries.fail == {{"id": "w", "fact": "image_refs", "expected": "an allowed registry", "tag": "container main", "actual": {"container": "main", "image": "nvcr.io.evil.example/a"}, "message": "nvcr.io.evil.example/a comes from nvcr.io.evil.example, which is not allowed"}} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "nvcr.io.evil.example/a", "registry": "nvcr.io.evil.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
	k8s_image_registries.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "nvcr.io.evil.example/a", "registry": "nvcr.io.evil.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
}

test_a_part_that_only_begins_alike_fails if {
	k8s_image_registries.fail == {{"id": "w", "fact": "image_refs", "expected": "an allowed registry", "tag": "container main", "actual": {"container": "main", "image": "registry.example/a:1"}, "message": "registry.example/a:1 comes from registry.example, which is not allowed"}} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "teams/a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
	k8s_image_registries.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "teams/a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
}

test_allowed_pass if {
	k8s_image_registries.fail == set() with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "nvcr.io", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}, {"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "1.ecr.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}, {"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "docker.io", "repository": "library/nginx", "digest": false, "floating": false, "policy": "IfNotPresent"}, {"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "team/a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
	k8s_image_registries.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "nvcr.io", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}, {"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "1.ecr.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}, {"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "docker.io", "repository": "library/nginx", "digest": false, "floating": false, "policy": "IfNotPresent"}, {"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "team/a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
}

test_no_list_is_out_of_scope if {
	k8s_image_registries.fail == set() with input as object.union(world({"image_refs": [{"container": "main", "type": "container", "image": "pytorch/pytorch", "registry": "docker.io", "repository": "pytorch/pytorch", "digest": false, "floating": false, "policy": "IfNotPresent"}]}), {"params": {"integrity.k8s_image_registries": {"registries": []}}})
	k8s_image_registries.scope == set() with input as object.union(world({"image_refs": [{"container": "main", "type": "container", "image": "pytorch/pytorch", "registry": "docker.io", "repository": "pytorch/pytorch", "digest": false, "floating": false, "policy": "IfNotPresent"}]}), {"params": {"integrity.k8s_image_registries": {"registries": []}}})
}

test_other_kinds_are_out_of_scope if {
	k8s_image_registries.scope == set() with input as {"resources": {"other": [workload]}, "params": {"integrity.k8s_image_registries": {"registries": ["nvcr.io", "*.ecr.example", "docker.io/library", "registry.example/team/"]}}}
	k8s_image_registries.fail == set() with input as {"resources": {"other": [workload]}, "params": {"integrity.k8s_image_registries": {"registries": ["nvcr.io", "*.ecr.example", "docker.io/library", "registry.example/team/"]}}}
}

test_blind_proves_nothing if {
	k8s_image_registries.fail == set() with input as {"resources": {"workload": [{"id": "w", "images_settled": true}]}, "params": {"integrity.k8s_image_registries": {"registries": ["nvcr.io", "*.ecr.example", "docker.io/library", "registry.example/team/"]}}}
}
