package policies.credentials.k8s_pull_secrets_test

import data.policies.credentials.k8s_pull_secrets
import rego.v1

workload := {"id": "w", "image_refs": [{"container": "main", "type": "container", "image": "e", "registry": "123456789012.dkr.ecr.eu-central-1.amazonaws.com", "repository": "a", "digest": true, "floating": false, "policy": "Always"}], "images_settled": true, "pull_secrets_used": []}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_ecr_fails if {
	k8s_pull_secrets.fail == {{"id": "w", "fact": "pull_secrets_used", "expected": "none", "message": "pulls from 123456789012.dkr.ecr.eu-central-1.amazonaws.com with the pull secret a, b"}} with input as world({"pull_secrets_used": ["b", "a"]})
	k8s_pull_secrets.scope == {"w"} with input as world({"pull_secrets_used": ["b", "a"]})
}

test_others_of_clouds_fail if {
	k8s_pull_secrets.fail == {{"id": "w", "fact": "pull_secrets_used", "expected": "none", "message": "pulls from eu.gcr.io, europe-docker.pkg.dev, lab.azurecr.io with the pull secret a"}} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "e", "registry": "europe-docker.pkg.dev", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "eu.gcr.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "lab.azurecr.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "registry.k8s.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}], "pull_secrets_used": ["a"]})
	k8s_pull_secrets.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "e", "registry": "europe-docker.pkg.dev", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "eu.gcr.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "lab.azurecr.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "registry.k8s.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}], "pull_secrets_used": ["a"]})
}

test_no_secret_passes if {
	k8s_pull_secrets.fail == set() with input as world({})
	k8s_pull_secrets.scope == {"w"} with input as world({})
}

test_beside_nvcr_passes if {
	k8s_pull_secrets.fail == set() with input as world({"image_refs": [{"container": "main", "type": "container", "image": "e", "registry": "123456789012.dkr.ecr.eu-central-1.amazonaws.com", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "nvcr.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}], "pull_secrets_used": ["ngc"]})
	k8s_pull_secrets.scope == {"w"} with input as world({"image_refs": [{"container": "main", "type": "container", "image": "e", "registry": "123456789012.dkr.ecr.eu-central-1.amazonaws.com", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "nvcr.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}], "pull_secrets_used": ["ngc"]})
}

test_a_parameter_beside_it_passes_as_yet if {
	k8s_pull_secrets.fail == set() with input as world({"pull_secrets_used": ["a"], "images_settled": false})
	k8s_pull_secrets.scope == {"w"} with input as world({"pull_secrets_used": ["a"], "images_settled": false})
}

test_nvcr_is_out_of_scope if {
	k8s_pull_secrets.fail == set() with input as world({"image_refs": [{"container": "main", "type": "container", "image": "e", "registry": "nvcr.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "123456789012.dkr.ecr.eu-central-1.amazonaws.com.evil.example", "repository": "a", "digest": true, "floating": false, "policy": "Always"}], "pull_secrets_used": ["ngc"]})
	k8s_pull_secrets.scope == set() with input as world({"image_refs": [{"container": "main", "type": "container", "image": "e", "registry": "nvcr.io", "repository": "a", "digest": true, "floating": false, "policy": "Always"}, {"container": "main", "type": "container", "image": "e", "registry": "123456789012.dkr.ecr.eu-central-1.amazonaws.com.evil.example", "repository": "a", "digest": true, "floating": false, "policy": "Always"}], "pull_secrets_used": ["ngc"]})
}

test_other_kinds_are_out_of_scope if {
	k8s_pull_secrets.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_pull_secrets.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	k8s_pull_secrets.fail == set() with input as {"resources": {"workload": [{"id": "w", "images_settled": true, "pull_secrets_used": ["a"]}]}}
	k8s_pull_secrets.fail == set() with input as {"resources": {"workload": [{"id": "w", "image_refs": [{"container": "main", "type": "container", "image": "e", "registry": "123456789012.dkr.ecr.eu-central-1.amazonaws.com", "repository": "a", "digest": true, "floating": false, "policy": "Always"}], "pull_secrets_used": ["a"]}]}}
	k8s_pull_secrets.fail == set() with input as {"resources": {"workload": [{"id": "w", "image_refs": [{"container": "main", "type": "container", "image": "e", "registry": "123456789012.dkr.ecr.eu-central-1.amazonaws.com", "repository": "a", "digest": true, "floating": false, "policy": "Always"}], "images_settled": true}]}}
}
