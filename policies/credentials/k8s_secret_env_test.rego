package policies.credentials.k8s_secret_env_test

import data.policies.credentials.k8s_secret_env
import rego.v1

workload := {"id": "w", "secret_keys": [{"container": "", "secret": "hub", "key": "token", "variable": "", "how": "file"}]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_a_variable_fails if {
	k8s_secret_env.fail == {{"id": "w", "fact": "secret_keys", "expected": "a file", "actual": {"container": "main", "secret": "hub", "key": "token", "variable": "HF_TOKEN", "how": "variable"}, "tag": "variable", "message": "container main gets HF_TOKEN from the Secret hub"}} with input as world({"secret_keys": [{"container": "main", "secret": "hub", "key": "token", "variable": "HF_TOKEN", "how": "variable"}]})
	k8s_secret_env.scope == {"w"} with input as world({"secret_keys": [{"container": "main", "secret": "hub", "key": "token", "variable": "HF_TOKEN", "how": "variable"}]})
}

test_all_keys_fail if {
	k8s_secret_env.fail == {{"id": "w", "fact": "secret_keys", "expected": "a file", "actual": {"container": "main", "secret": "hub", "key": "", "variable": "", "how": "variables"}, "tag": "variables", "message": "container main gets every key of the Secret hub as a variable"}} with input as world({"secret_keys": [{"container": "main", "secret": "hub", "key": "", "variable": "", "how": "variables"}]})
	k8s_secret_env.scope == {"w"} with input as world({"secret_keys": [{"container": "main", "secret": "hub", "key": "", "variable": "", "how": "variables"}]})
}

test_files_pass if {
	k8s_secret_env.fail == set() with input as world({})
	k8s_secret_env.scope == {"w"} with input as world({})
}

test_the_token_of_ray_passes if {
	k8s_secret_env.fail == set() with input as world({"secret_keys": [{"container": "main", "secret": "hub", "key": "token", "variable": "RAY_AUTH_TOKEN", "how": "variable"}]})
	k8s_secret_env.scope == {"w"} with input as world({"secret_keys": [{"container": "main", "secret": "hub", "key": "token", "variable": "RAY_AUTH_TOKEN", "how": "variable"}]})
}

test_none_is_out_of_scope if {
	k8s_secret_env.fail == set() with input as world({"secret_keys": []})
	k8s_secret_env.scope == set() with input as world({"secret_keys": []})
}

test_other_kinds_are_out_of_scope if {
	k8s_secret_env.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_secret_env.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	k8s_secret_env.fail == set() with input as {"resources": {"workload": [{"id": "w"}]}}
}
