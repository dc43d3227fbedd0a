package policies.integrity.k8s_image_digest_test

import data.policies.integrity.k8s_image_digest
import rego.v1

workload := {"id": "w", "image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": true, "floating": false, "policy": "IfNotPresent"}], "images_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_a_tag_fails if {
	k8s_image_digest.fail == {{"id": "w", "fact": "image_refs", "expected": "an image pinned by digest", "tag": "container main", "actual": {"container": "main", "image": "registry.example/a:1"}, "message": "container main has registry.example/a:1 by its tag, which can be moved"}} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
	k8s_image_digest.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "registry.example/a:1", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
}

test_no_tag_of_an_init_container_fails if {
	k8s_image_digest.fail == {{"id": "w", "fact": "image_refs", "expected": "an image pinned by digest", "tag": "init container setup", "actual": {"container": "setup", "image": "a"}, "message": "init container setup has a by a tag that is made to be moved"}} with input as world({"image_refs": [{"container": "setup", "type": "init", "image": "a", "registry": "registry.example", "repository": "a", "digest": false, "floating": true, "policy": "IfNotPresent"}]})
	k8s_image_digest.scope == {"w"} with input as world({"image_refs": [{"container": "setup", "type": "init", "image": "a", "registry": "registry.example", "repository": "a", "digest": false, "floating": true, "policy": "IfNotPresent"}]})
}

test_a_volume_fails if {
	k8s_image_digest.fail == {{"id": "w", "fact": "image_refs", "expected": "an image pinned by digest", "tag": "volume weights", "actual": {"container": "weights", "image": "registry.example/weights:7b"}, "message": "volume weights has registry.example/weights:7b by its tag, which can be moved"}} with input as world({"image_refs": [{"container": "weights", "type": "volume", "image": "registry.example/weights:7b", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
	k8s_image_digest.scope == {"w"} with input as world({"image_refs": [{"container": "weights", "type": "volume", "image": "registry.example/weights:7b", "registry": "registry.example", "repository": "a", "digest": false, "floating": false, "policy": "IfNotPresent"}]})
}

test_a_digest_passes if {
	k8s_image_digest.fail == set() with input as world({})
	k8s_image_digest.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	k8s_image_digest.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_image_digest.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	k8s_image_digest.fail == set() with input as {"resources": {"workload": [{"id": "w", "images_settled": true}]}}
}
