package policies.integrity.k8s_served_model_pinned_test

import data.policies.integrity.k8s_served_model_pinned
import rego.v1

model_service := {"id": "r", "model_servers": [{"container": "main", "server": "vLLM"}], "models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": ""}], "models_settled": true}

world(changes) := {"resources": {"model_service": [object.union(model_service, changes)]}}

test_unpinned_fails if {
	k8s_served_model_pinned.fail == {{"id": "r", "fact": "models", "expected": "a model from within, or a pinned revision", "actual": {"container": "main", "model": "org/name", "origin": "hub", "flaw": "unpinned"}, "tag": "main org/name", "message": "loads the model org/name from a public hub, at whatever revision it has then"}} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "unpinned"}]})
	k8s_served_model_pinned.scope == {"r"} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "unpinned"}]})
}

test_branch_fails if {
	k8s_served_model_pinned.fail == {{"id": "r", "fact": "models", "expected": "a model from within, or a pinned revision", "actual": {"container": "main", "model": "org/name", "origin": "hub", "flaw": "branch"}, "tag": "main org/name", "message": "loads the model org/name from a public hub by a branch or tag, which can be moved"}} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "branch"}]})
	k8s_served_model_pinned.scope == {"r"} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "branch"}]})
}

test_tag_fails if {
	k8s_served_model_pinned.fail == {{"id": "r", "fact": "models", "expected": "a model from within, or a pinned revision", "actual": {"container": "main", "model": "org/name", "origin": "hub", "flaw": "tag"}, "tag": "main org/name", "message": "loads the model org/name from an OCI image by its tag, which can be moved"}} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "tag"}]})
	k8s_served_model_pinned.scope == {"r"} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "tag"}]})
}

test_web_fails if {
	k8s_served_model_pinned.fail == {{"id": "r", "fact": "models", "expected": "a model from within, or a pinned revision", "actual": {"container": "main", "model": "org/name", "origin": "hub", "flaw": "web"}, "tag": "main org/name", "message": "loads the model org/name from a web server that is not one's own"}} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "web"}]})
	k8s_served_model_pinned.scope == {"r"} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "web"}]})
}

test_artifacts_fails if {
	k8s_served_model_pinned.fail == {{"id": "r", "fact": "models", "expected": "a model from within, or a pinned revision", "actual": {"container": "main", "model": "org/name", "origin": "hub", "flaw": "artifacts"}, "tag": "main org/name", "message": "loads the model org/name by a version of vLLM that does not load all files by the revision (CVE-2026-47155)"}} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "artifacts"}]})
	k8s_served_model_pinned.scope == {"r"} with input as world({"models": [{"container": "main", "model": "org/name", "origin": "hub", "flaw": "artifacts"}]})
}

test_without_a_name_fails if {
	k8s_served_model_pinned.fail == {{"id": "r", "fact": "models", "expected": "a model from within, or a pinned revision", "actual": {"container": "main", "model": "", "origin": "hub", "flaw": "tag"}, "tag": "main ", "message": "loads a model from an OCI image by its tag, which can be moved"}} with input as world({"models": [{"container": "main", "model": "", "origin": "hub", "flaw": "tag"}]})
	k8s_served_model_pinned.scope == {"r"} with input as world({"models": [{"container": "main", "model": "", "origin": "hub", "flaw": "tag"}]})
}

test_pinned_passes if {
	k8s_served_model_pinned.fail == set() with input as world({})
	k8s_served_model_pinned.scope == {"r"} with input as world({})
}

test_no_server_is_out_of_scope if {
	k8s_served_model_pinned.fail == set() with input as world({"models": [], "model_servers": []})
	k8s_served_model_pinned.scope == set() with input as world({"models": [], "model_servers": []})
}

test_other_kinds_are_out_of_scope if {
	k8s_served_model_pinned.scope == set() with input as {"resources": {"other": [model_service]}}
	k8s_served_model_pinned.fail == set() with input as {"resources": {"other": [model_service]}}
}

test_blind_proves_nothing if {
	k8s_served_model_pinned.fail == set() with input as {"resources": {"model_service": [{"id": "r", "model_servers": [{"container": "main", "server": "vLLM"}], "models_settled": true}]}}
}
