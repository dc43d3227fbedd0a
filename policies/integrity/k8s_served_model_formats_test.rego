package policies.integrity.k8s_served_model_formats_test

import data.policies.integrity.k8s_served_model_formats
import rego.v1

model_service := {"id": "r", "model_servers": [{"container": "main", "server": "vLLM"}], "unsafe_formats": [], "formats_settled": true}

world(changes) := {"resources": {"model_service": [object.union(model_service, changes)]}}

test_pickled_fails if {
	k8s_served_model_formats.fail == {{"id": "r", "fact": "unsafe_formats", "expected": "none", "actual": {"container": "main", "how": "--load-format pt"}, "tag": "main --load-format pt", "message": "main unpickles what it loads (--load-format pt)"}} with input as world({"unsafe_formats": [{"container": "main", "how": "--load-format pt"}]})
	k8s_served_model_formats.scope == {"r"} with input as world({"unsafe_formats": [{"container": "main", "how": "--load-format pt"}]})
}

test_without_a_server_it_fails_as_well if {
	k8s_served_model_formats.fail == {{"id": "r", "fact": "unsafe_formats", "expected": "none", "actual": {"container": "main", "how": "--load-format pt"}, "tag": "main --load-format pt", "message": "main unpickles what it loads (--load-format pt)"}} with input as world({"unsafe_formats": [{"container": "main", "how": "--load-format pt"}], "model_servers": []})
	k8s_served_model_formats.scope == {"r"} with input as world({"unsafe_formats": [{"container": "main", "how": "--load-format pt"}], "model_servers": []})
}

test_safe_passes if {
	k8s_served_model_formats.fail == set() with input as world({})
	k8s_served_model_formats.scope == {"r"} with input as world({})
}

test_no_server_is_out_of_scope if {
	k8s_served_model_formats.fail == set() with input as world({"model_servers": []})
	k8s_served_model_formats.scope == set() with input as world({"model_servers": []})
}

test_other_kinds_are_out_of_scope if {
	k8s_served_model_formats.scope == set() with input as {"resources": {"other": [model_service]}}
	k8s_served_model_formats.fail == set() with input as {"resources": {"other": [model_service]}}
}

test_blind_proves_nothing if {
	k8s_served_model_formats.fail == set() with input as {"resources": {"model_service": [{"id": "r", "model_servers": [{"container": "main", "server": "vLLM"}], "formats_settled": true}]}}
}
