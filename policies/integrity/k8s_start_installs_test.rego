package policies.integrity.k8s_start_installs_test

import data.policies.integrity.k8s_start_installs
import rego.v1

workload := {"id": "w", "containers": [{"name": "main", "args": ["run"]}], "installs": [], "installs_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_unchecked_fails if {
	k8s_start_installs.fail == {{"id": "w", "fact": "installs", "expected": "none", "actual": {"container": "main", "tool": "pip", "how": "unchecked", "grade": "medium"}, "tag": "main pip", "message": "main installs with pip at start, from a public index or address, without hashes"}} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "unchecked", "grade": "medium"}]})
	k8s_start_installs.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "unchecked", "grade": "medium"}]})
}

test_packages_fails if {
	k8s_start_installs.fail == {{"id": "w", "fact": "installs", "expected": "none", "actual": {"container": "main", "tool": "pip", "how": "packages", "grade": "medium"}, "tag": "main pip", "message": "main installs with pip at start, by a package manager"}} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "packages", "grade": "medium"}]})
	k8s_start_installs.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "packages", "grade": "medium"}]})
}

test_script_fails if {
	k8s_start_installs.fail == {{"id": "w", "fact": "installs", "expected": "none", "actual": {"container": "main", "tool": "pip", "how": "script", "grade": "medium"}, "tag": "main pip", "message": "main installs with pip at start, by a script from the web that goes straight into a shell"}} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "script", "grade": "medium"}]})
	k8s_start_installs.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "script", "grade": "medium"}]})
}

test_the_other_grade_passes if {
	k8s_start_installs.fail == set() with input as world({"installs": [{"container": "main", "tool": "pip", "how": "repository", "grade": "high"}, {"container": "main", "tool": "pip", "how": "clear_text", "grade": "high"}, {"container": "main", "tool": "pip", "how": "untrusted", "grade": "high"}]})
	k8s_start_installs.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "repository", "grade": "high"}, {"container": "main", "tool": "pip", "how": "clear_text", "grade": "high"}, {"container": "main", "tool": "pip", "how": "untrusted", "grade": "high"}]})
}

test_runtime_environments_fail if {
	k8s_start_installs.fail == {{"id": "w", "fact": "installs", "expected": "none", "actual": {"container": "main", "tool": "pip", "how": "unchecked", "grade": "medium"}, "tag": "main pip", "message": "main installs with pip at start, from a public index or address, without hashes"}} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "unchecked", "grade": "medium"}], "containers": [{"name": "main", "args": []}]})
	k8s_start_installs.scope == {"w"} with input as world({"installs": [{"container": "main", "tool": "pip", "how": "unchecked", "grade": "medium"}], "containers": [{"name": "main", "args": []}]})
}

test_nothing_passes if {
	k8s_start_installs.fail == set() with input as world({})
	k8s_start_installs.scope == {"w"} with input as world({})
}

test_the_entrypoint_of_an_image_is_out_of_scope if {
	k8s_start_installs.fail == set() with input as world({"containers": [{"name": "main", "args": []}]})
	k8s_start_installs.scope == set() with input as world({"containers": [{"name": "main", "args": []}]})
}

test_other_kinds_are_out_of_scope if {
	k8s_start_installs.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_start_installs.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	k8s_start_installs.fail == set() with input as {"resources": {"workload": [{"id": "w", "containers": [{"name": "main", "args": ["run"]}], "installs_settled": true}]}}
}
