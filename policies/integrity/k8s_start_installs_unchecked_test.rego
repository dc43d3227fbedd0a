package policies.integrity.k8s_start_installs_unchecked_test

import data.policies.integrity.k8s_start_installs_unchecked
import rego.v1

workload := {"id": "w", "containers": [{"name": "main", "args": ["run"]}], "installs": [], "installs_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_repository_fails if {
	k8s_start_installs_unchecked.fail == {{"id": "w", "fact": "installs", "expected": "none", "actual": {"container": "main", "tool": "pip", "how": "repository", "grade": "high"}, "tag": "main pip", "message": "main installs with pip at start, straight from a source repository"}} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "repository", "grade": "high"}]})
	k8s_start_installs_unchecked.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "repository", "grade": "high"}]})
}

test_clear_text_fails if {
	k8s_start_installs_unchecked.fail == {{"id": "w", "fact": "installs", "expected": "none", "actual": {"container": "main", "tool": "pip", "how": "clear_text", "grade": "high"}, "tag": "main pip", "message": "main installs with pip at start, over plain HTTP"}} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "clear_text", "grade": "high"}]})
	k8s_start_installs_unchecked.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "clear_text", "grade": "high"}]})
}

test_untrusted_fails if {
	k8s_start_installs_unchecked.fail == {{"id": "w", "fact": "installs", "expected": "none", "actual": {"container": "main", "tool": "pip", "how": "untrusted", "grade": "high"}, "tag": "main pip", "message": "main installs with pip at start, with the checks turned off"}} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "untrusted", "grade": "high"}]})
	k8s_start_installs_unchecked.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "untrusted", "grade": "high"}]})
}

test_the_other_grade_passes if {
	k8s_start_installs_unchecked.fail == set() with input as world({"installs": [{"container": "main", "tool": "pip", "how": "unchecked", "grade": "medium"}, {"container": "main", "tool": "pip", "how": "packages", "grade": "medium"}, {"container": "main", "tool": "pip", "how": "script", "grade": "medium"}]})
	k8s_start_installs_unchecked.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "unchecked", "grade": "medium"}, {"container": "main", "tool": "pip", "how": "packages", "grade": "medium"}, {"container": "main", "tool": "pip", "how": "script", "grade": "medium"}]})
}

test_runtime_environments_fail if {
	k8s_start_installs_unchecked.fail == {{"id": "w", "fact": "installs", "expected": "none", "actual": {"container": "main", "tool": "pip", "how": "repository", "grade": "high"}, "tag": "main pip", "message": "main installs with pip at start, straight from a source repository"}} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "repository", "grade": "high"}], "containers": [{"name": "main", "args": []}]})
	k8s_start_installs_unchecked.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "repository", "grade": "high"}], "containers": [{"name": "main", "args": []}]})
}

test_nothing_passes if {
	k8s_start_installs_unchecked.fail == set() with input as world({})
	k8s_start_installs_unchecked.scope == {"w"} with input as world({})
}

test_the_entrypoint_of_an_image_is_out_of_scope if {
	k8s_start_installs_unchecked.fail == set() with input as world({"containers": [{"name": "main", "args": []}]})
	k8s_start_installs_unchecked.scope == set() with input as world({"containers": [{"name": "main", "args": []}]})
}

test_other_kinds_are_out_of_scope if {
	k8s_start_installs_unchecked.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_start_installs_unchecked.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	k8s_start_installs_unchecked.fail == set() with input as {"resources": {"workload": [{"id": "w", "containers": [{"name": "main", "args": ["run"]}], "installs_settled": true}]}}
}
